// Plays the frames the hub's own test recorded and ends in the state it says (broadcast/golden_test.go).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { apply, newBoard } from "../src/game";
import type { Board, Frame } from "../src/protocol";

test("the hub's session", () => {
  const frames = readFileSync("../testdata/session.jsonl", "utf8").trimEnd().split("\n").map((l) => JSON.parse(l) as Frame);
  const end = frames.pop();
  const boards = new Map<number, Board>();
  let seq = 0;
  for (const f of frames) {
    if (f.type !== "changes") continue;
    for (const c of f.changes) {
      assert.equal(c.seq, ++seq);
      if (!boards.has(c.board)) boards.set(c.board, newBoard(c.board));
      assert(apply(boards.get(c.board)!, c), JSON.stringify(c));
    }
  }
  assert(end?.type === "snapshot");
  assert.equal(end.seq, seq);
  const got = [...boards.values()].sort((a, b) => a.board - b.board);
  assert.deepEqual(JSON.parse(JSON.stringify(got)), end.boards);
});
