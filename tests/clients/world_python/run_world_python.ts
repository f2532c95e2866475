/**
 * The client and the Gymnasium environment of examples/python against world servers of both backends; a step of its own
 * in scripts/test.mjs, since it needs Python and what it installs. `SVC_TEST_GYMNASIUM` is the interpreter that has it.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { end, ROOT, startServer } from "../../support/server_process.ts";
import { withFolder } from "../../support/temporary_folder.ts";

const KEY = "secret-of-this-test";
const EXAMPLES = join(ROOT, "examples", "python");

/** Runs Python, with `SVC_URL` and `SVC_API_KEY` for the server; returns what it has written. */
type Python = (args: readonly string[], input?: string) => Promise<string>;

/** Calls a test with a world server that runs meanwhile. */
function withServer(backend: "arworld" | "actionworld", use: (python: Python, url: string) => Promise<void>) {
  return withFolder(async (folder) => {
    const python = process.env.SVC_TEST_GYMNASIUM;
    assert.ok(python, "SVC_TEST_GYMNASIUM is not set, run npm test -- python");
    const args = ["--prepare", "--json", "--port=0", "--device=cpu", `--backend=${backend}`, `--api-key=${KEY}`];
    const server = startServer([...args, `--state-directory=${join(folder, "state")}`]);
    try {
      const { url } = JSON.parse(await server.line);
      const env = { ...process.env, SVC_URL: url, SVC_API_KEY: KEY, PYTHONPATH: EXAMPLES };
      await use(async (args, input = "") => {
        const child = spawn(python, ["-B", ...args], { cwd: folder, env });
        let written = "";
        child.stdout.on("data", (data) => written += data);
        child.stderr.on("data", (data) => written += data);
        child.stdin.end(input);
        const [code] = await once(child, "close");
        assert.equal(code, 0, `${args.join(" ")}: ${written}\n${server.stderr()}`);
        return written;
      }, url);
    } finally {
      end(server, "SIGTERM");
      await server.exit;
    }
  });
}

/** A program of this folder, and what it is given. */
const drive = (name: string, url: string): string[] => [
  join(ROOT, "tests", "clients", "world_python", name),
  EXAMPLES,
  url,
  KEY,
];

test("Python walks an arworld by its standard library, and Gymnasium by pixels, checkpoints and several worlds", () =>
  withServer("arworld", async (python, url) => {
    await python(drive("drive_client.py", url));
    assert.match(await python(drive("drive_gym.py", url)), /check_env passes/);
    const readme = readFileSync(join(EXAMPLES, "README.md"), "utf8");
    const pairs = [...readme.matchAll(/```python\n(.*?)```\n\n```\n(.*?)```/gs)];
    assert.equal(pairs.length, 2);
    for (const [, program, printed] of pairs) assert.equal(await python(["-"], program), printed);
    const [, walked] = /svc_world\.py w wl s .*?```\n\n```\n(.*?)```/s.exec(readme) ?? [];
    assert.equal(await python([join(EXAMPLES, "svc_world.py"), "w", "wl", "s", "-o", "walk.mp4"]), walked);
  }));

test("Gymnasium walks an actionworld", () =>
  withServer("actionworld", async (python, url) => {
    assert.match(await python(drive("drive_gym.py", url)), /check_env passes/);
  }));
