/**
 * The client and the Gymnasium environment of examples/python against world servers of both backends; a step of its own
 * in scripts/test.mjs, since it needs Python and what it installs. `SVC_TEST_GYMNASIUM` is the interpreter that has it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { end, ROOT, startServer } from "../../support/server_process.ts";
import { withFolder } from "../../support/temporary_folder.ts";

const KEY = "secret-of-this-test";

/** Runs scripts of this folder against a server, one after another. */
function drive(scripts: readonly string[], backend: "arworld" | "actionworld"): Promise<void> {
  return withFolder(async (folder) => {
    const python = process.env.SVC_TEST_GYMNASIUM;
    assert.ok(python, "SVC_TEST_GYMNASIUM is not set, run npm test -- python");
    const args = ["--prepare", "--json", "--port=0", "--device=cpu", `--backend=${backend}`, `--api-key=${KEY}`];
    const server = startServer([...args, `--state-directory=${folder}`]);
    try {
      const { url } = JSON.parse(await server.line);
      let written = "";
      for (const script of scripts) {
        const path = join(ROOT, "tests", "clients", "world_python", script);
        const given = ["-B", path, join(ROOT, "examples", "python"), url, KEY];
        const { code, stdout, stderr } = await runProcess(python, given, new Uint8Array());
        written += new TextDecoder().decode(stdout);
        assert.equal(code, 0, `${script}: ${written}${stderr}\n${server.stderr()}`);
      }
      assert.match(written, /check_env passes/);
    } finally {
      end(server, "SIGTERM");
      await server.exit;
    }
  });
}

test("Python walks an arworld by its standard library, and Gymnasium by pixels, checkpoints and several worlds", () =>
  drive(["drive_client.py", "drive_gym.py"], "arworld"));

test("Gymnasium walks an actionworld", () => drive(["drive_gym.py"], "actionworld"));
