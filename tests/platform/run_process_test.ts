import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { type ProcessResult, runProcess } from "../../lib/platform/processes/run_process.ts";

/** Runs JavaScript text in a new process of the runtime that runs this test. */
const evaluate = (code: string, stdin: Uint8Array): Promise<ProcessResult> =>
  runProcess(process.execPath, [...("Deno" in globalThis ? ["eval"] : ["--input-type=module", "--eval"]), code], stdin);

test("runProcess() passes bytes in and out when they exceed a pipe's buffer", async () => {
  const input = Uint8Array.from({ length: 300_000 }, (_, i) => i * 7);
  const result = await evaluate(`import p from "node:process"; p.stdin.pipe(p.stdout)`, input);
  assert.equal(result.code, 0);
  assert.deepEqual(result.stdout, input);
});

test("runProcess() reports status and error text when the program fails without reading its input", async () => {
  const code = `import p from "node:process"; p.stderr.write("no luck", () => p.exit(3))`;
  const result = await evaluate(code, new Uint8Array(1 << 20));
  assert.equal(result.code, 3);
  assert.match(result.stderr, /no luck/);
});

test("runProcess() rejects an unknown program", async () => {
  await assert.rejects(() => runProcess("svc-no-such-program", [], new Uint8Array()), { code: "ENOENT" });
});
