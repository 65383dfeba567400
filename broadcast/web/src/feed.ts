// The connection to the hub: keeps the boards up to date, comes back by itself, resumes by number.
import { apply, newBoard } from "./game";
import type { Board, Frame } from "./protocol";

const SILENCE = 25_000; // the hub says something at least every 10 s
const BACKOFF = [250, 500, 1000, 2000, 4000];

export interface Listener {
  /** Some of a board changed; back: its link has just returned. */
  changed(b: Board, how: { back: boolean; reset: boolean }): void;
  /** All boards are new. */
  snapshot(): void;
  title(text: string): void;
  connection(live: boolean): void;
}

export class Feed {
  readonly boards = new Map<number, Board>();
  private socket?: WebSocket;
  private stream = "";
  private seq: number | undefined;
  private tries = 0;
  private retry = 0;
  private heard = 0;
  private time = new HubTime();

  constructor(private listener: Listener) {}

  start(): void {
    this.connect();
    setInterval(() => {
      if (this.socket && performance.now() - this.heard > SILENCE) this.lost();
    }, 5000);
    const now = () => {
      if (!this.socket) this.connect();
    };
    addEventListener("online", now);
    addEventListener("offline", () => this.lost());
    addEventListener("pageshow", now);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) now();
    });
  }

  /** The hub's time in Unix ms. */
  now(): number {
    return this.time.now();
  }

  private connect(): void {
    clearTimeout(this.retry);
    const url = new URL("ws", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    url.hash = "";
    url.search = "";
    if (this.seq !== undefined) {
      url.searchParams.set("stream", this.stream);
      url.searchParams.set("since", String(this.seq));
    }
    const socket = new WebSocket(url);
    this.socket = socket;
    this.heard = performance.now();
    this.time.restart();
    socket.onmessage = (e) => {
      if (socket !== this.socket) return;
      this.heard = performance.now();
      this.frame(JSON.parse(e.data as string) as Frame);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private lost(): void {
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    this.listener.connection(false);
    const wait = BACKOFF[Math.min(this.tries++, BACKOFF.length - 1)]!;
    clearTimeout(this.retry);
    // Spread out, so that a hall of phones does not come back in the same instant.
    this.retry = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private frame(f: Frame): void {
    switch (f.type) {
      case "hello":
        if (f.stream !== this.stream) this.seq = undefined;
        this.stream = f.stream;
        this.listener.title(f.title ?? "");
        return;
      case "snapshot":
        this.time.saw(f.now_ms);
        this.boards.clear();
        for (const b of f.boards) this.boards.set(b.board, b);
        this.seq = f.seq;
        this.listener.snapshot();
        break;
      case "changes":
        this.time.saw(f.now_ms);
        for (const c of f.changes) {
          if (this.seq === undefined || c.seq > this.seq + 1) return this.resume();
          if (c.seq <= this.seq) continue;
          this.seq = c.seq;
          let b = this.boards.get(c.board);
          if (!b) this.boards.set(c.board, (b = newBoard(c.board)));
          if (!apply(b, c)) return this.snapshot();
          this.listener.changed(b, { back: c.status === "back", reset: c.type === "game" });
        }
        break;
      case "tick":
        this.time.saw(f.now_ms);
        if (f.seq !== this.seq) return this.resume();
        break;
      default:
        return; // a newer hub may say more
    }
    this.tries = 0;
    this.listener.connection(true);
  }

  private resume(): void {
    this.socket?.send(JSON.stringify(this.seq === undefined ? { type: "resume" } : { type: "resume", stream: this.stream, since: this.seq }));
  }

  private snapshot(): void {
    this.seq = undefined;
    this.resume();
  }
}

/** The hub's clock as told by now_ms: a frame can only arrive late, so the largest difference seen lately is the best. */
export class HubTime {
  private best: number | undefined;
  private before: number | undefined;
  private since = 0;

  constructor(private local: () => number = () => performance.now()) {}

  saw(nowMS: number): void {
    const here = this.local();
    const d = nowMS - here;
    // Two spans of a minute: the local clock may run fast, so that an old best would be wrong for ever.
    if (here - this.since > 60_000) {
      this.before = this.best;
      this.best = undefined;
      this.since = here;
    }
    if (this.best === undefined || d > this.best) this.best = d;
  }

  now(): number {
    const d = Math.max(this.best ?? -Infinity, this.before ?? -Infinity);
    return d === -Infinity ? Date.now() : this.local() + d;
  }

  restart(): void {
    this.before = this.best = undefined;
    this.since = this.local();
  }
}
