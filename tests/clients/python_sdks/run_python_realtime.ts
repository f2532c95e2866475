/**
 * The openai client of Python against `/v1/realtime` of a real server; runs in the step `python` of scripts/test.mjs.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { withApiProcess } from "../../support/api_process.ts";
import { ROOT } from "../../support/server_process.ts";
import { speechModelFiles } from "../../support/speech_model_files.ts";

test("openai of Python converses by events, calls functions, speaks, sends sound and sees errors", async () => {
  const python = process.env.SVC_TEST_PYTHON;
  assert.ok(python, "SVC_TEST_PYTHON is not set, run npm test -- python");
  const key = "secret-of-this-test";
  const voice = await speechModelFiles();
  const options = { models: ["tiny-chat", "tiny-transcription"], ...voice && { voice } } as const;
  await withApiProcess({ ...options, args: [`--api-key=${key}`] }, async ({ url, stderr }) => {
    const script = join(ROOT, "tests", "clients", "python_sdks", "realtime.py");
    const result = await runProcess(python, [script, url, key, ...voice ? ["speech"] : []], new Uint8Array());
    assert.equal(result.code, 0, `${new TextDecoder().decode(result.stdout)}${result.stderr}\n${stderr()}`);
  });
});
