// Builds dist from src.
//   node build.mjs           writes dist
//   node build.mjs --check   builds in memory and fails if dist differs
//   node build.mjs --test    bundles and runs test/*.test.ts with Node's own test runner
import * as esbuild from "esbuild";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const at = (...p) => join(here, ...p);

// One sprite of the twelve pieces in a row of six for each colour: one request and one decoding for any
// number of boards, addressed by background-position.
async function pieces() {
  const source = await readFile(at("node_modules/cm-chessboard/assets/pieces/standard.svg"), "utf8");
  const groups = new Map();
  for (const m of source.matchAll(/<g id="([wb][kqrbnp])"[\s\S]*?\n {4}<\/g>/g)) groups.set(m[1], m[0]);
  const order = "kqrbnp";
  let out = `<!-- Chess pieces: Wikimedia Commons, https://commons.wikimedia.org/wiki/Category:SVG_chess_pieces/Standard
Authors: https://en.wikipedia.org/wiki/User:Cburnett and https://en.wikipedia.org/wiki/User:Rfc1394
Licence: Attribution-ShareAlike 3.0 Unported (CC BY-SA 3.0), https://creativecommons.org/licenses/by-sa/3.0/
Modified by shaack for cm-chessboard (https://github.com/shaack/cm-chessboard), and for boardd: set out in two rows. -->
<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" viewBox="0 0 240 80">
`;
  for (const [row, color] of ["w", "b"].entries()) {
    for (const [col, role] of [...order].entries()) {
      const g = groups.get(color + role);
      if (!g) throw new Error(`standard.svg: expected a group ${color}${role}`);
      const body = g.replaceAll(/ id="[^"]*"/g, "").replaceAll(/\s*\n\s*/g, " ").replaceAll("> <", "><");
      out += `<g transform="translate(${col * 40},${row * 40})">${body}</g>\n`;
    }
  }
  return out + "</svg>\n";
}

async function build() {
  const common = { bundle: true, minify: true, write: false, charset: "utf8", legalComments: "none", target: ["es2022", "safari16"], logLevel: "warning" };
  const js = await esbuild.build({ ...common, entryPoints: [at("src/main.ts")], format: "iife", outfile: at("dist/app.js") });
  const css = await esbuild.build({ ...common, entryPoints: [at("src/style.css")], external: ["*.svg"], outfile: at("dist/app.css") });
  const files = new Map();
  for (const f of [...js.outputFiles, ...css.outputFiles]) files.set(f.path.slice(at("dist").length + 1), f.text);
  for (const name of ["index.html", "icon.svg", "licenses.txt"]) files.set(name, await readFile(at("src", name), "utf8"));
  files.set("pieces.svg", await pieces());
  return files;
}

if (process.argv[2] === "--test") {
  const out = await mkdtemp(join(tmpdir(), "boardd-web-"));
  try {
    const tests = (await readdir(at("test"))).filter((f) => f.endsWith(".test.ts"));
    await esbuild.build({ entryPoints: tests.map((f) => at("test", f)), bundle: true, platform: "node", format: "esm", outdir: out, outExtension: { ".js": ".mjs" }, logLevel: "warning" });
    const run = spawnSync(process.execPath, ["--test", ...tests.map((f) => join(out, f.replace(/\.ts$/, ".mjs")))], { stdio: "inherit" });
    process.exitCode = run.status ?? 1;
  } finally {
    await rm(out, { recursive: true });
  }
} else {
  const files = await build();
  if (process.argv[2] === "--check") {
    const have = await readdir(at("dist"));
    const wrong = have.filter((f) => !files.has(f));
    for (const [name, text] of files) {
      const old = await readFile(at("dist", name), "utf8").catch(() => null);
      if (old !== text) wrong.push(name);
    }
    if (wrong.length) {
      console.error(`dist is not what src builds: ${wrong.join(", ")} (run: npm run build)`);
      process.exitCode = 1;
    }
  } else {
    await rm(at("dist"), { recursive: true, force: true });
    await mkdir(at("dist"));
    for (const [name, text] of files) await writeFile(at("dist", name), text);
    for (const [name, text] of files) console.log(`${name}\t${Buffer.byteLength(text)} bytes`);
  }
}
