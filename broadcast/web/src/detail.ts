// One board large, with its moves and clocks; earlier positions can be looked at while play goes on.
import { BoardView } from "./boardview";
import { Badge, PlayerLine, spoken } from "./card";
import { el, setAttr, setText } from "./dom";
import { clockText, moveText, numbering, placementAfter, positionText, squareIndex } from "./game";
import type { Board } from "./protocol";

export class Detail {
  private view = new BoardView(true);
  private top = new PlayerLine("black");
  private bottom = new PlayerLine("white");
  private badge = new Badge();
  private heading = el("h2", { tabIndex: -1 });
  private event = el("p", { className: "event" });
  private list = el("ol", { className: "moves", "aria-label": "Moves" });
  private empty = el("p", { className: "no-moves" }, "No move yet.");
  private voice = el("p", { className: "unseen", "aria-live": "polite" });
  private words = el("p", { className: "unseen" });
  private figure = el("div", { className: "board-frame", role: "img" }, this.view.root);
  private live = button("Live", "Back to the live position", () => this.look(undefined));
  private prevLink = el("a", { className: "button", "aria-label": "Previous board" });
  private nextLink = el("a", { className: "button", "aria-label": "Next board" });
  private rows: HTMLElement[] = [];
  private drawn: string[] = [];
  private board: Board | undefined;
  private at: number | undefined; // plies shown; undefined = live
  private flipped = false;
  readonly root: HTMLElement;

  constructor() {
    const back = el("a", { className: "button", href: "#" }, "All boards");
    const flip = button("Turn", "Turn the board", () => this.turn());
    this.root = el(
      "article",
      { className: "detail", hidden: true },
      el("nav", { className: "detail-nav", "aria-label": "Boards" }, back, el("span", { className: "spring" }), this.prevLink, this.nextLink),
      el("div", { className: "detail-board" }, this.top.root, this.figure, this.bottom.root),
      el(
        "section",
        { className: "detail-side" },
        el("div", { className: "detail-head" }, this.heading, this.badge.root),
        this.event,
        this.words,
        this.voice,
        el("div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": "Move list" }, this.empty, this.list),
        el(
          "div",
          { className: "controls", role: "group", "aria-label": "Positions" },
          button("«", "First position", () => this.look(0)),
          button("‹", "Previous move", () => this.step(-1)),
          button("›", "Next move", () => this.step(1)),
          this.live,
          flip,
        ),
      ),
    );
    this.list.addEventListener("click", (e) => {
      const ply = (e.target as HTMLElement).closest<HTMLElement>("button[data-ply]")?.dataset["ply"];
      if (ply) this.look(Number(ply));
    });
  }

  /** Shows b, or nothing; numbers are those of all boards. */
  open(b: Board | undefined, numbers: number[]): void {
    const other = b?.board !== this.board?.board;
    this.board = b;
    this.root.hidden = b === undefined;
    if (!b) return;
    if (other) {
      this.at = undefined;
      this.drawn = [];
      this.rows = [];
      this.list.replaceChildren();
      setText(this.voice, "");
    }
    const i = numbers.indexOf(b.board);
    const step = (link: HTMLAnchorElement, n: number | undefined, text: string) => {
      setText(link, text.replace("%", String(n ?? "")));
      link.hidden = n === undefined;
      link.href = n === undefined ? "#" : `#board=${n}`;
    };
    step(this.prevLink, numbers[i - 1], "‹ %");
    step(this.nextLink, i < 0 ? undefined : numbers[i + 1], "% ›");
    this.update(false);
    if (other) {
      this.root.scrollIntoView({ block: "start" });
      this.heading.focus({ preventScroll: true });
    }
  }

  back(): void {
    this.badge.back();
  }

  /** Draws what changed; moved: a ply came in just now, so that it is read out. */
  update(moved: boolean): void {
    const b = this.board;
    if (!b) return;
    if (this.at !== undefined && this.at >= b.moves.length) this.at = undefined;
    setText(this.heading, `Board ${b.board}`);
    const t = b.tags ?? {};
    setText(this.event, [t["Event"], t["Round"] && t["Round"] !== "?" && `Round ${t["Round"]}`].filter((s) => s && s !== "?").join(" · "));
    const [top, bottom] = [this.top, this.bottom];
    top.update(b);
    bottom.update(b);
    this.badge.update(b);
    this.root.classList.toggle("is-lost", b.status === "lost");
    this.moves(b);
    const n = this.at ?? b.moves.length;
    const last = b.moves[n - 1];
    const p = placementAfter(b, n);
    this.view.show(p, last && squareIndex(last.uci), last && squareIndex(last.uci.slice(2)));
    setAttr(this.figure, "aria-label", spoken(b));
    setText(this.words, positionText(p));
    const head = b.moves.at(-1);
    if (moved && head) setText(this.voice, moveText(b, head));
    this.live.classList.toggle("on", this.at === undefined);
    setAttr(this.live, "aria-pressed", String(this.at === undefined));
  }

  tick(now: number): void {
    if (!this.board) return;
    this.top.tick(this.board, now);
    this.bottom.tick(this.board, now);
    this.badge.update(this.board);
  }

  key(e: KeyboardEvent): void {
    if (!this.board || e.altKey || e.ctrlKey || e.metaKey) return;
    switch (e.key) {
      case "ArrowLeft":
        this.step(-1);
        break;
      case "ArrowRight":
        this.step(1);
        break;
      case "Home":
        this.look(0);
        break;
      case "End":
        this.look(undefined);
        break;
      case "f":
        this.turn();
        break;
      case "Escape":
        location.hash = "";
        break;
      default:
        return;
    }
    e.preventDefault();
  }

  private turn(): void {
    this.flipped = !this.flipped;
    this.view.flip(this.flipped);
    this.root.classList.toggle("flipped", this.flipped);
  }

  private step(by: number): void {
    const b = this.board;
    if (b) this.look(Math.max(0, (this.at ?? b.moves.length) + by));
  }

  private look(n: number | undefined): void {
    this.at = n;
    this.update(false);
  }

  /** Draws the rows that differ: usually the last one. */
  private moves(b: Board): void {
    const number = numbering(b.start_fen);
    const rows: { n: number; plies: (number | undefined)[] }[] = [];
    for (const m of b.moves) {
      const { number: n, white } = number(m.ply);
      if (white || rows.length === 0) rows.push({ n, plies: [] });
      rows.at(-1)!.plies[white ? 0 : 1] = m.ply;
    }
    const shown = this.at ?? b.moves.length;
    const atEnd = this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < 60;
    rows.forEach((row, i) => {
      const cells = [0, 1].map((side) => {
        const ply = row.plies[side];
        return ply === undefined ? undefined : b.moves[ply - 1];
      });
      const key = cells.map((m) => (m ? `${m.ply} ${m.san} ${m.clock_ms ?? ""} ${m.ply === shown}` : "-")).join("|");
      if (this.drawn[i] === key) return;
      this.drawn[i] = key;
      const e = el("li", {}, el("span", { className: "n" }, `${row.n}.`));
      cells.forEach((m, side) => {
        if (!m) {
          e.append(el("span", { className: "gap" }, side === 0 && row.plies[1] !== undefined ? "…" : ""));
          return;
        }
        const cell = el("button", { type: "button", className: "move", "data-ply": m.ply }, el("span", { className: "san" }, m.san));
        if (m.clock_ms !== undefined) cell.append(el("span", { className: "used" }, clockText(m.clock_ms)));
        if (m.ply === shown) {
          cell.classList.add("on");
          cell.setAttribute("aria-current", "true");
        }
        e.append(cell);
      });
      const old = this.rows[i];
      if (old) old.replaceWith(e);
      else this.list.append(e);
      this.rows[i] = e;
    });
    for (const e of this.rows.splice(rows.length)) e.remove();
    this.drawn.length = rows.length;
    this.empty.hidden = rows.length > 0;
    if (this.at === undefined ? atEnd : true) this.reveal();
  }

  private get scroller(): HTMLElement {
    return this.list.parentElement!;
  }

  /** Scrolls the list, and only the list, to the move shown. */
  private reveal(): void {
    const on = this.list.querySelector<HTMLElement>(".on")?.parentElement;
    const s = this.scroller;
    if (!on) {
      s.scrollTop = 0;
      return;
    }
    const above = on.offsetTop - s.scrollTop, below = above + on.offsetHeight - s.clientHeight;
    if (above < 0) s.scrollTop += above;
    else if (below > 0) s.scrollTop += below;
  }
}

function button(text: string, label: string, press: () => void): HTMLButtonElement {
  const b = el("button", { type: "button", className: "button", "aria-label": label, title: label }, text);
  b.addEventListener("click", press);
  return b;
}
