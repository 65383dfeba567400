import assert from "node:assert/strict";
import { test } from "node:test";
import { HubTime } from "../src/feed";
import { apply, clocksAt, clockText, moveText, newBoard, placementAfter, placementOf, play, positionText } from "../src/game";
import type { Change } from "../src/protocol";

const change = (c: Partial<Change>): Change => ({ seq: 0, type: "", board: 1, at_ms: 0, time_ms: 0, ...c });

test("plays each kind of move", () => {
  const cases: [string, string, string, string][] = [
    ["pawn", "4k3/8/8/8/8/8/4P3/4K3", "e2e4", "4k3/8/8/8/4P3/8/8/4K3"],
    ["en passant", "4k3/8/8/3pP3/8/8/8/4K3", "e5d6", "4k3/8/3P4/8/8/8/8/4K3"],
    ["capture by a pawn", "4k3/8/3p4/4P3/8/8/8/4K3", "e5d6", "4k3/8/3P4/8/8/8/8/4K3"],
    ["promotion of Black", "4k3/8/8/8/8/8/1p6/4K3", "b2b1n", "4k3/8/8/8/8/8/8/1n2K3"],
    ["promotion of White", "4k3/1P6/8/8/8/8/8/4K3", "b7b8q", "1Q2k3/8/8/8/8/8/8/4K3"],
    ["castling short", "4k2r/8/8/8/8/8/8/4K2R", "e1g1", "4k2r/8/8/8/8/8/8/5RK1"],
    ["castling long", "r3k3/8/8/8/8/8/8/R3K3", "e8c8", "2kr4/8/8/8/8/8/8/R3K3"],
    ["Chess960, king next to rook", "6k1/8/8/8/8/8/8/5KR1", "f1g1", "6k1/8/8/8/8/8/8/5RK1"],
    ["Chess960, long with the king on b1", "6k1/8/8/8/8/8/8/RK6", "b1a1", "6k1/8/8/8/8/8/8/2KR4"],
    ["king takes rook of the other side", "6k1/8/8/8/8/8/8/5Kr1", "f1g1", "6k1/8/8/8/8/8/8/6K1"],
  ];
  for (const [name, before, uci, after] of cases) assert.deepEqual(play(placementOf(before), uci), placementOf(after), name);
});

test("a replaced move leaves no trace", () => {
  const b = newBoard(1);
  assert(apply(b, change({ type: "move", ply: 1, san: "e4", uci: "e2e4", fen: "a b", clock_ms: 5 })));
  assert(apply(b, change({ type: "move", ply: 2, san: "e5", uci: "e7e5", fen: "c w" })));
  assert(apply(b, change({ type: "replace", ply: 1, moves: [{ ply: 1, san: "d4", uci: "d2d4" }], fen: "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1" })));
  assert.deepEqual(b.moves, [{ ply: 1, san: "d4", uci: "d2d4" }]);
  assert.deepEqual(placementAfter(b, 1), play(placementAfter(b, 0), "d2d4"));
  assert(apply(b, change({ type: "retract", ply: 1, fen: b.start_fen })));
  assert.deepEqual(b.moves, []);
});

test("a hole is noticed", () => {
  const b = newBoard(1);
  assert.equal(apply(b, change({ type: "move", ply: 2, fen: "x" })), false);
  assert.equal(apply(b, change({ type: "clock", ply: 1, clock_ms: 3 })), false);
  assert.equal(apply(b, change({ type: "retract", ply: 3, fen: "x" })), false);
});

test("clocks count, stop with the result, and start anew with the game", () => {
  const b = newBoard(1);
  apply(b, change({ type: "clock", white_ms: 60000, black_ms: 3000, running: "black", time_ms: 1000 }));
  assert.deepEqual(clocksAt(b, 2500), [60000, 1500]);
  assert.deepEqual(clocksAt(b, 500), [60000, 3000]);
  assert.deepEqual(clocksAt(b, 99000), [60000, 0]);
  apply(b, change({ type: "result", result: "1-0", time_ms: 2000 }));
  assert.deepEqual(clocksAt(b, 99000), [60000, 2000]);
  apply(b, change({ type: "game", fen: b.start_fen }));
  assert.deepEqual(clocksAt(b, 99000), [undefined, undefined]);
  assert.equal(b.result, "*");
});

test("clock text", () => {
  for (const [ms, text] of [[0, "0:00"], [1, "0:01"], [59000, "0:59"], [60000, "1:00"], [3600000, "1:00:00"], [5399001, "1:30:00"]] as const) assert.equal(clockText(ms), text);
});

test("numbers follow the first position", () => {
  const b = newBoard(1);
  assert.equal(moveText(b, { ply: 2, san: "e5", uci: "e7e5" }), "1… e5");
  b.start_fen = "4k3/8/8/8/8/8/8/4K3 b - - 0 37";
  assert.equal(moveText(b, { ply: 1, san: "Kd7", uci: "e8d7" }), "37… Kd7");
  assert.equal(moveText(b, { ply: 2, san: "Kd1", uci: "e1d1" }), "38. Kd1");
});

test("a position in words", () => {
  assert.equal(positionText(placementOf("4k3/8/8/8/8/8/PP6/4K3")), "White: king e1, pawns a2 b2. Black: king e8.");
});

test("hub time is the earliest arrival's, and forgets", () => {
  let here = 0;
  const t = new HubTime(() => here);
  t.saw(1000);
  here = 500;
  t.saw(1300); // 200 ms late
  assert.equal(t.now(), 1500);
  here = 600;
  t.saw(1650); // the first one was 50 ms late
  assert.equal(t.now(), 1650);
  for (here = 61_000; here < 200_000; here += 10_000) t.saw(here + 990); // the local clock runs fast
  assert.equal(t.now(), here + 990);
});
