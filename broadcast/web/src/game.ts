// A board's state in the browser: the same steps as broadcast/board.go, and the positions of a game.
import type { Board, Change, Move } from "./protocol";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export function newBoard(n: number): Board {
  return { board: n, start_fen: START, fen: START, moves: [], status: "waiting", result: "*" };
}

/** Brings b up to date with c; false when c does not fit, so that the caller asks for a snapshot. */
export function apply(b: Board, c: Change): boolean {
  switch (c.type) {
    case "game":
      Object.assign(b, newBoard(b.board), { status: b.status, tags: c.tags, start_fen: c.fen, fen: c.fen });
      delete b.white_ms;
      delete b.black_ms;
      delete b.running;
      delete b.time_ms;
      return true;
    case "tags":
      b.tags = c.tags;
      return true;
    case "move":
      if (c.ply !== b.moves.length + 1) return false;
      b.moves.push({ ply: c.ply, san: c.san ?? "", uci: c.uci ?? "", clock_ms: c.clock_ms, at_ms: c.at_ms });
      b.fen = c.fen ?? b.fen;
      return true;
    case "replace":
    case "retract":
      if (!c.ply || c.ply > b.moves.length + 1) return false;
      b.moves.length = c.ply - 1;
      b.moves.push(...(c.moves ?? []));
      b.fen = c.fen ?? b.fen;
      return true;
    case "clock":
      if (c.ply) {
        const m = b.moves[c.ply - 1];
        if (!m) return false;
        m.clock_ms = c.clock_ms;
      }
      if (c.white_ms !== undefined || c.black_ms !== undefined) {
        b.white_ms = c.white_ms;
        b.black_ms = c.black_ms;
        b.running = c.running;
        b.time_ms = c.time_ms;
      }
      return true;
    case "result":
      b.result = c.result ?? "*";
      if (b.result !== "*" && b.running) {
        const [white, black] = clocksAt(b, c.time_ms);
        b.white_ms = white;
        b.black_ms = black;
        b.running = undefined;
        b.time_ms = c.time_ms;
      }
      return true;
    case "status":
      b.status = c.status === "back" ? "live" : (c.status ?? b.status);
      b.text = c.text;
      return true;
    default:
      return true; // a newer hub may tell more
  }
}

/** Both clocks in ms at now (the hub's Unix ms); the running one has counted down, not below zero. */
export function clocksAt(b: Board, now: number): [number | undefined, number | undefined] {
  const gone = Math.max(0, now - (b.time_ms ?? now));
  const left = (ms: number | undefined, runs: boolean) => (ms === undefined ? undefined : runs ? Math.max(0, ms - gone) : ms);
  return [left(b.white_ms, b.running === "white"), left(b.black_ms, b.running === "black")];
}

/** As a DGT clock shows it: h:mm:ss, or m:ss below an hour; a begun second counts, so that a reading of 59 s shows 0:59 until it is 58. */
export function clockText(ms: number): string {
  const s = Math.ceil(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const h = Math.floor(s / 3600);
  const m = Math.floor(s / 60) % 60;
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** 64 FEN letters by square, a8 first; "" is empty. */
export type Placement = string[];

export function placementOf(fen: string): Placement {
  const p: Placement = [];
  for (const ch of fen.split(" ")[0] ?? "") {
    if (ch >= "1" && ch <= "8") for (let n = Number(ch); n > 0; n--) p.push("");
    else if (ch !== "/") p.push(ch);
  }
  while (p.length < 64) p.push("");
  return p;
}

export function squareIndex(name: string): number {
  return (8 - Number(name[1])) * 8 + name.charCodeAt(0) - 97;
}

export function squareName(i: number): string {
  return "abcdefgh"[i % 8]! + (8 - (i >> 3));
}

/** The placement after one move. Moves come from the hub and are legal; nothing is checked here. */
export function play(before: Placement, uci: string): Placement {
  const p = before.slice();
  const from = squareIndex(uci), to = squareIndex(uci.slice(2));
  const piece = p[from] ?? "", target = p[to] ?? "";
  const king = piece.toLowerCase() === "k", pawn = piece.toLowerCase() === "p";
  const rook = piece === "K" ? "R" : "r";
  const takesOwnRook = king && target === rook;
  const row = from & ~7;
  if (takesOwnRook || (king && Math.abs(to - from) === 2 && row === (to & ~7))) {
    const short = to > from;
    // King takes rook is Chess960's way to write castling; in the other the rook stands in the corner.
    const rookFrom = takesOwnRook ? to : short ? row + 7 : row;
    p[from] = "";
    p[rookFrom] = "";
    p[row + (short ? 6 : 2)] = piece;
    p[row + (short ? 5 : 3)] = rook;
    return p;
  }
  if (pawn && target === "" && (from & 7) !== (to & 7)) p[row + (to & 7)] = ""; // en passant
  const promoted = uci[4];
  p[to] = promoted ? (piece === "P" ? promoted.toUpperCase() : promoted) : piece;
  p[from] = "";
  return p;
}

/** The placement after the first n plies. */
export function placementAfter(b: Board, n: number): Placement {
  if (n >= b.moves.length) return placementOf(b.fen);
  let p = placementOf(b.start_fen);
  for (const m of b.moves.slice(0, n)) p = play(p, m.uci);
  return p;
}

/** Number and side of a ply, given the game's first position. */
export function numbering(startFen: string): (ply: number) => { number: number; white: boolean } {
  const fields = startFen.split(" ");
  const offset = fields[1] === "b" ? 1 : 0;
  const first = Number(fields[5]) || 1;
  return (ply) => ({ number: first + Math.floor((ply - 1 + offset) / 2), white: (ply - 1 + offset) % 2 === 0 });
}

/** "24. Nf3" or "24… Nf6". */
export function moveText(b: Board, m: Move): string {
  const { number, white } = numbering(b.start_fen)(m.ply);
  return `${number}${white ? "." : "…"} ${m.san}`;
}

export function whiteToMove(b: Board): boolean {
  return b.fen.split(" ")[1] !== "b";
}

export interface Player {
  name: string;
  title: string;
  elo: string;
}

export function player(b: Board, side: "White" | "Black"): Player {
  const t = b.tags ?? {};
  const known = (v: string | undefined) => (v && v !== "?" && v !== "-" && v !== "0" ? v : "");
  return { name: known(t[side]) || side, title: known(t[side + "Title"]), elo: known(t[side + "Elo"]) };
}

const names: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** The position in words, for who cannot see it. */
export function positionText(p: Placement): string {
  const side = (white: boolean) =>
    [..."kqrbnp"]
      .map((role) => {
        const want = white ? role.toUpperCase() : role;
        const at = p.flatMap((ch, i) => (ch === want ? [squareName(i)] : []));
        return at.length ? `${names[role]}${at.length > 1 ? "s" : ""} ${at.join(" ")}` : "";
      })
      .filter(Boolean)
      .join(", ");
  return `White: ${side(true)}. Black: ${side(false)}.`;
}
