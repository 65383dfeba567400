// Draws one position: pieces are elements moved by transform, so that a change costs only what changed.
import { el } from "./dom";
import type { Placement } from "./game";

export class BoardView {
  readonly root = el("div", { className: "squares", "aria-hidden": "true" });
  private pieces = new Map<number, HTMLElement>();
  private shown: Placement = Array<string>(64).fill("");
  private marks: HTMLElement[] = [];
  private flipped = false;

  constructor(coordinates = false) {
    for (let i = 0; i < 2; i++) {
      const mark = el("div", { className: "mark", hidden: true });
      this.marks.push(mark);
      this.root.append(mark);
    }
    if (coordinates) {
      for (let i = 0; i < 8; i++) {
        this.root.append(el("span", { className: "file", "data-i": i }), el("span", { className: "rank", "data-i": i }));
      }
      this.letter();
    }
  }

  flip(on: boolean): void {
    if (on === this.flipped) return;
    this.flipped = on;
    for (const [sq, e] of this.pieces) this.put(e, sq);
    this.letter();
  }

  /** Shows a position and marks the squares of the last move. */
  show(p: Placement, from: number | undefined, to: number | undefined): void {
    const loose = new Map<string, number[]>();
    for (let i = 0; i < 64; i++) {
      const was = this.shown[i]!;
      if (was && was !== p[i]) (loose.get(was) ?? loose.set(was, []).get(was)!).push(i);
    }
    const taken: HTMLElement[] = [];
    const placed: [number, HTMLElement][] = [];
    for (let i = 0; i < 64; i++) {
      const want = p[i]!;
      if (!want || want === this.shown[i]) continue;
      // The nearest loose piece of the kind has most likely gone here.
      const candidates = loose.get(want);
      let e: HTMLElement | undefined;
      if (candidates?.length) {
        candidates.sort((a, b) => distance(a, i) - distance(b, i));
        const sq = candidates.shift()!;
        e = this.pieces.get(sq);
        this.pieces.delete(sq);
      }
      e ??= el("div", { className: `piece ${want === want.toUpperCase() ? "w" : "b"}${want.toLowerCase()}` });
      placed.push([i, e]);
    }
    for (const rest of loose.values()) {
      for (const sq of rest) {
        const e = this.pieces.get(sq);
        if (e) taken.push(e);
        this.pieces.delete(sq);
      }
    }
    for (const e of taken) e.remove();
    for (const [sq, e] of placed) {
      this.pieces.set(sq, e);
      this.put(e, sq);
      if (!e.parentNode) this.root.append(e);
    }
    this.shown = p.slice();
    this.mark(0, from);
    this.mark(1, to);
  }

  private mark(n: number, sq: number | undefined): void {
    const e = this.marks[n]!;
    e.hidden = sq === undefined;
    if (sq !== undefined) this.put(e, sq);
    e.dataset["sq"] = sq === undefined ? "" : String(sq);
  }

  private put(e: HTMLElement, sq: number): void {
    const i = this.flipped ? 63 - sq : sq;
    e.style.transform = `translate(${(i % 8) * 100}%, ${(i >> 3) * 100}%)`;
  }

  private letter(): void {
    for (const e of this.root.querySelectorAll<HTMLElement>(".file, .rank")) {
      const i = Number(e.dataset["i"]);
      e.textContent = e.className === "file" ? "abcdefgh"[this.flipped ? 7 - i : i]! : String(this.flipped ? i + 1 : 8 - i);
    }
    for (const e of this.marks) {
      const sq = e.dataset["sq"];
      if (sq) this.put(e, Number(sq));
    }
  }
}

function distance(a: number, b: number): number {
  return Math.max(Math.abs((a & 7) - (b & 7)), Math.abs((a >> 3) - (b >> 3)));
}
