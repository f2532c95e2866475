import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { ROOT } from "../support/server_process.ts";
import { linkDependencies, linkTree } from "./empty_project.ts";

/** A fenced block of a page. */
interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }));
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "svc-readme-")));
const clone = join(folder, "clone");
const project = join(folder, "walks");
const bin = join(folder, "bin");
const env = {
  ...process.env,
  NO_COLOR: "1",
  SVC_API_KEY: "",
  SVC_MODELS_DIR: "",
  SVC_HOME: join(folder, "home"),
  PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
};

/**
 * What npm does with a packed file, without the network: its dependencies are linked from the clone before, as
 * `run_published.ts` has them. `deno task first-five-minutes` installs it from the registry.
 */
const NPM = `npm() {
  if [ "$1" != install ]; then command npm "$@"; return; fi
  mkdir -p node_modules/@svc/sdk node_modules/.bin
  tar -xzf "\${@: -1}" -C node_modules/@svc/sdk --strip-components=1
  ln -s ../@svc/sdk/dist/cli/main.js node_modules/.bin/svc
}`;

/** Runs a block of commands; resolves with everything that they printed. */
function shell(text: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile("bash", ["-ec", `exec 2>&1\n${NPM}\n${text}`], { cwd, env, maxBuffer: 1 << 26 }, (error, stdout) => {
      if (error) reject(new Error(`${text}${error.message}\n${stdout}`));
      else resolve(stdout);
    })
  );
}

/** Fails unless the lines of a printed block follow each other, with others between them only at a line of dots. */
function assertPrinted(output: string, block: string): void {
  const shown = (line: string) => line.replace(/\(\d+ threads?\)/, "(N threads)").trimEnd();
  const lines = output.split("\n").map(shown);
  let at = 0;
  let skips = true;
  for (const line of block.trimEnd().split("\n").map(shown)) {
    if (line === "...") {
      skips = true;
      continue;
    }
    const found = lines.indexOf(line, at);
    assert.ok(found >= 0 && (skips || found === at), `The output lacks ${JSON.stringify(line)}:\n${output}`);
    at = found + 1;
    skips = false;
  }
}

/** Blocks of the README that are not run here, with the reason. */
const ELSEWHERE: readonly (readonly [begin: string, reason: string])[] = [
  ["npm run models", "installs 207 MiB from npm and PyPI: tests/store and tests/cli try it with packages of their own"],
];

before(() => {
  mkdirSync(bin, { recursive: true });
  linkTree(ROOT, clone, (path) => ![".git", "coverage", "site-build"].some((name) => path === join(ROOT, name)));
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
  linkDependencies(project);
  writeFileSync(
    join(bin, "deno"),
    `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, "node_modules/deno/bin.cjs")}' "$@"\n`,
  );
  chmodSync(join(bin, "deno"), 0o755);
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("npm start, as the README has it, serves the page of a world", async () => {
  const [{ text }] = blocksOf("README.md");
  assert.match(text, /^npm start +#.*\nnpm test +#.*\n$/);
  // Any port: that of the README may be taken on this machine.
  const child = spawn("npm", ["start", "--", "--port", "0"], {
    ...{ cwd: clone, env, detached: true },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The output is open as long as the server runs, which is a process below npm's.
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    for await (const line of createInterface(child.stdout)) {
      const url = /^World server with corridor-nano on (\S+), press Ctrl\+C to stop$/.exec(line)?.[1];
      if (url === undefined) continue;
      assert.match(await (await fetch(url)).text(), /<title>/);
      break;
    }
  } finally {
    process.kill(-child.pid!, "SIGTERM");
    child.stdout.resume();
    await ended;
  }
});

test("every other command of the README runs as printed, and prints what it says", async () => {
  const blocks = blocksOf("README.md").slice(1);
  let ran = 0;
  for (const [i, { language, text }] of blocks.entries()) {
    if (language !== "sh" || ELSEWHERE.some(([begin]) => text.startsWith(begin))) continue;
    const output = await shell(text, clone);
    const next = blocks[i + 1];
    if (next?.language === "") assertPrinted(output, next.text);
    ran++;
  }
  assert.ok(ran > 0 && existsSync(join(clone, "walk.mp4")) && existsSync(join(clone, "walk.png")));
});

test("the README's program runs in the clone and with a packed file, on Node and on Deno", async () => {
  const [program] = blocksOf("README.md").filter(({ language }) => language === "js");
  const promised = [...program.text.matchAll(/ \/\/ ((?:"[^"]+"(?:, )?)+)/g)].flatMap(([, said]) =>
    [...said.matchAll(/"([^"]+)"/g)].map(([, line]) => line)
  );
  assert.ok(promised.length >= 3);
  const [install] = blocksOf("docs/packages.md").filter(({ language }) => language === "sh");
  assert.match(await shell(install.text, clone), /Saved walk\.mp4/);
  for (const place of [clone, project]) {
    writeFileSync(join(place, "walk.mjs"), program.text);
    for (const command of ["node walk.mjs", "deno run -A walk.mjs"]) {
      assertPrinted(await shell(command, place), `...\n${promised.join("\n...\n")}`);
    }
  }
});
