// What the hub sends; the meaning of each field is documented in broadcast/change.go and frame.go.

export type Side = "white" | "black";

export interface Move {
  ply: number;
  san: string;
  uci: string;
  clock_ms?: number;
  at_ms?: number;
}

export interface Change {
  seq: number;
  type: string;
  board: number;
  at_ms: number;
  time_ms: number;
  ply?: number;
  san?: string;
  uci?: string;
  fen?: string;
  moves?: Move[];
  clock_ms?: number;
  white_ms?: number;
  black_ms?: number;
  running?: Side;
  tags?: Record<string, string>;
  result?: string;
  status?: string;
  text?: string;
}

export interface Board {
  board: number;
  tags?: Record<string, string>;
  start_fen: string;
  moves: Move[];
  fen: string;
  white_ms?: number;
  black_ms?: number;
  running?: Side;
  time_ms?: number;
  status: string;
  text?: string;
  result: string;
}

export type Frame =
  | { type: "hello"; v: number; stream: string; title?: string }
  | { type: "snapshot"; seq: number; now_ms: number; boards: Board[] }
  | { type: "changes"; seq: number; now_ms: number; changes: Change[] }
  | { type: "tick"; seq: number; now_ms: number };
