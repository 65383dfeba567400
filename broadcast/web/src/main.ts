// The spectator page: a grid of all boards, one of them large when the address says #board=N.
import { Card } from "./card";
import { Detail } from "./detail";
import { el, setText } from "./dom";
import { Feed } from "./feed";

const title = el("h1", {}, "Live games");
const state = el("span", { className: "state", role: "status" }, "Connecting…");
const theme = el("button", { type: "button", className: "button", id: "theme" }, "◐");
const grid = el("section", { className: "grid", "aria-label": "All boards" });
const note = el("p", { className: "note" }, "Connecting…");
const detail = new Detail();
const cards = new Map<number, Card>();

document.getElementById("top")!.append(title, el("span", { className: "spring" }), state, el("a", { className: "button", href: "games.pgn" }, "PGN"), theme);
document.getElementById("main")!.replaceChildren(note, detail.root, grid);
document
  .getElementById("foot")!
  .append("Chess pieces by Cburnett and Rfc1394, ", el("a", { href: "https://creativecommons.org/licenses/by-sa/3.0/", rel: "license noreferrer" }, "CC BY-SA 3.0"), " · ", el("a", { href: "licenses.txt" }, "Licences"));

// Boards whose card is out of date; drawn together before the next frame.
const dirty = new Set<number>();
let movedBoard = false;
let drawing = 0;

const feed: Feed = new Feed({
  changed(b, how) {
    if (!cards.has(b.board)) {
      lay();
      route();
    }
    if (how.back) {
      cards.get(b.board)?.back();
      if (b.board === chosen()) detail.back();
    }
    if (b.board === chosen()) movedBoard = true;
    dirty.add(b.board);
    draw();
  },
  snapshot() {
    lay();
    for (const n of feed.boards.keys()) dirty.add(n);
    route();
    draw();
  },
  title(text) {
    setText(title, text || "Live games");
    document.title = text || "Live games";
  },
  connection(live) {
    setText(state, live ? "Live" : "Reconnecting…");
    state.classList.toggle("live", live);
    state.classList.toggle("off", !live);
  },
});

/** One card a board, in order. */
function lay(): void {
  const numbers = [...feed.boards.keys()].sort((a, b) => a - b);
  for (const [n, card] of cards) {
    if (!feed.boards.has(n)) {
      card.root.remove();
      cards.delete(n);
    }
  }
  numbers.forEach((n, i) => {
    let card = cards.get(n);
    if (!card) cards.set(n, (card = new Card(n)));
    if (grid.children[i] !== card.root) grid.insertBefore(card.root, grid.children[i] ?? null);
  });
  columns();
  setText(note, "No game yet. Boards appear here as soon as they are connected.");
  note.hidden = numbers.length > 0;
}

/** As many columns as fit, but rows of even length: eight boards are four and four, not five and three. */
function columns(): void {
  if (grid.hidden || cards.size === 0) return;
  const css = getComputedStyle(grid);
  const gap = parseFloat(css.columnGap), least = parseFloat(css.getPropertyValue("--least"));
  const fit = Math.max(1, Math.floor((grid.clientWidth + gap) / (least + gap)));
  const rows = Math.ceil(cards.size / fit);
  grid.style.setProperty("--columns", String(Math.ceil(cards.size / rows)));
}

function draw(): void {
  drawing ||= requestAnimationFrame(() => {
    drawing = 0;
    const now = feed.now();
    // Cards too while one board is large: hidden they cost little, and no replaced move lingers in them.
    for (const d of dirty) {
      const b = feed.boards.get(d);
      if (!b) continue;
      cards.get(d)?.update(b);
      cards.get(d)?.tick(b, now);
    }
    if (dirty.has(chosen() ?? 0)) {
      detail.update(movedBoard);
      detail.tick(now);
    }
    movedBoard = false;
    dirty.clear();
  });
}

/** The board the address asks for, if any. */
function chosen(): number | undefined {
  const m = /^#board=(\d+)$/.exec(location.hash);
  return m ? Number(m[1]) : undefined;
}

let gridScroll = 0;

function route(): void {
  const n = chosen();
  const b = n === undefined ? undefined : feed.boards.get(n);
  if (b && !grid.hidden) gridScroll = scrollY;
  const wasHidden = grid.hidden;
  grid.hidden = b !== undefined;
  detail.open(b, [...feed.boards.keys()].sort((a, b) => a - b));
  detail.tick(feed.now());
  if (wasHidden && !grid.hidden) {
    columns();
    scrollTo(0, gridScroll);
  }
  note.hidden = feed.boards.size > 0 && (n === undefined || b !== undefined);
  if (n !== undefined && !b && feed.boards.size > 0) setText(note, `There is no board ${n}. These are the boards there are.`);
}

addEventListener("hashchange", route);
new ResizeObserver(columns).observe(grid);
addEventListener("keydown", (e) => detail.key(e));

// Clocks: what is written changes once a second at most, so a look five times a second is smooth enough.
setInterval(() => {
  if (document.hidden) return;
  const now = feed.now();
  if (grid.hidden) {
    detail.tick(now);
    return;
  }
  for (const [n, card] of cards) {
    const b = feed.boards.get(n);
    if (b) card.tick(b, now);
  }
}, 200);

// Theme: as the device, unless chosen here.
const themes = ["auto", "light", "dark"] as const;
let chosenTheme = 0;
try {
  chosenTheme = Math.max(0, themes.indexOf(localStorage.getItem("theme") as "auto"));
} catch {
  // storage may be switched off
}
function paint(): void {
  const name = themes[chosenTheme]!;
  document.documentElement.dataset["theme"] = name;
  const text = { auto: "as the device", light: "light", dark: "dark" }[name];
  theme.title = `Colours: ${text}`;
  theme.setAttribute("aria-label", `Colours: ${text}. Change`);
}
theme.addEventListener("click", () => {
  chosenTheme = (chosenTheme + 1) % themes.length;
  try {
    localStorage.setItem("theme", themes[chosenTheme]!);
  } catch {
    // not kept then
  }
  paint();
});
paint();

feed.start();
