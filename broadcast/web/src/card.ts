// What the grid and the large view share: names, clocks, link and result of one board; and the card itself.
import { BoardView } from "./boardview";
import { el, setAttr, setText } from "./dom";
import { clocksAt, clockText, moveText, placementAfter, player, squareIndex, whiteToMove } from "./game";
import type { Board, Side } from "./protocol";

/** One player's line: colour, title, name, rating, score, clock. */
export class PlayerLine {
  private swatch: HTMLElement;
  private title = el("span", { className: "title" });
  private name = el("span", { className: "name" });
  private elo = el("span", { className: "elo" });
  private score = el("span", { className: "score" });
  private clock = el("span", { className: "clock" });
  readonly root: HTMLElement;

  constructor(private side: Side) {
    this.swatch = el("span", { className: `swatch ${side}` });
    this.root = el("div", { className: "player" }, this.swatch, el("span", { className: "who" }, this.title, this.name, this.elo), this.score, this.clock);
  }

  update(b: Board): void {
    const p = player(b, this.side === "white" ? "White" : "Black");
    setText(this.title, p.title);
    setText(this.name, p.name);
    this.name.title = p.name;
    setText(this.elo, p.elo);
    setText(this.score, score(b.result, this.side));
    this.root.classList.toggle("winner", score(b.result, this.side) === "1");
    this.root.classList.toggle("to-move", b.result === "*" && whiteToMove(b) === (this.side === "white"));
  }

  tick(b: Board, now: number): void {
    const ms = clocksAt(b, now)[this.side === "white" ? 0 : 1];
    setText(this.clock, ms === undefined ? "" : clockText(ms));
    this.clock.classList.toggle("running", b.running === this.side);
    this.clock.classList.toggle("low", ms !== undefined && ms <= 30_000 && b.result === "*");
    this.clock.hidden = ms === undefined;
  }
}

function score(result: string, side: Side): string {
  switch (result) {
    case "1-0":
      return side === "white" ? "1" : "0";
    case "0-1":
      return side === "black" ? "1" : "0";
    case "1/2-1/2":
      return "½";
    default:
      return "";
  }
}

export function resultText(result: string): string {
  return result === "1/2-1/2" ? "½–½" : result === "*" ? "" : result.replace("-", "–");
}

const BACK_FOR = 8000; // how long a returned link is told

/** The small label that tells link and result. */
export class Badge {
  readonly root = el("span", { className: "badge", hidden: true });
  private backUntil = 0;
  private told = "";

  back(): void {
    this.backUntil = performance.now() + BACK_FOR;
  }

  update(b: Board): void {
    const [kind, text] = this.says(b);
    const told = `${kind} ${text} ${b.text ?? ""}`;
    if (told === this.told) return; // this runs five times a second
    this.told = told;
    this.root.hidden = kind === "";
    this.root.className = `badge ${kind}`;
    setText(this.root, text);
    this.root.title = b.text ?? "";
  }

  private says(b: Board): [string, string] {
    if (b.status === "lost") return ["lost", "Board lost"];
    if (performance.now() < this.backUntil) return ["back", "Board back"];
    if (b.result !== "*") return ["result", resultText(b.result)];
    if (b.status === "waiting") return ["waiting", "No board yet"];
    return ["", ""];
  }
}

/** A board's name, players and state in one sentence, for who cannot see the card. */
export function spoken(b: Board): string {
  const white = player(b, "White"), black = player(b, "Black");
  const last = b.moves.at(-1);
  const state =
    b.result !== "*" ? `result ${b.result}` : last ? `last move ${moveText(b, last)}, ${whiteToMove(b) ? "White" : "Black"} to move` : "no move yet";
  return `Board ${b.board}: ${white.name} against ${black.name}, ${state}${b.status === "lost" ? ", board lost" : ""}`;
}

export class Card {
  private view = new BoardView();
  private black = new PlayerLine("black");
  private white = new PlayerLine("white");
  private badge = new Badge();
  private number = el("span", { className: "number" });
  private last = el("span", { className: "last" });
  readonly root: HTMLAnchorElement;

  constructor(n: number) {
    setText(this.number, String(n));
    this.root = el(
      "a",
      { className: "card", href: `#board=${n}` },
      el("div", { className: "card-head" }, this.number, this.last, this.badge.root),
      this.black.root,
      this.view.root,
      this.white.root,
    );
  }

  back(): void {
    this.badge.back();
  }

  update(b: Board): void {
    const last = b.moves.at(-1);
    this.view.show(placementAfter(b, b.moves.length), last && squareIndex(last.uci), last && squareIndex(last.uci.slice(2)));
    setText(this.last, last ? moveText(b, last) : "");
    this.black.update(b);
    this.white.update(b);
    this.badge.update(b);
    this.root.classList.toggle("is-lost", b.status === "lost");
    setAttr(this.root, "aria-label", spoken(b));
  }

  tick(b: Board, now: number): void {
    this.black.tick(b, now);
    this.white.tick(b, now);
    this.badge.update(b);
  }
}
