/**
 * The openai client of Python against a real server; a step of its own in scripts/test.mjs, since it needs Python and
 * what it installs. `SVC_TEST_PYTHON` is the interpreter that has the package.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { withApiProcess } from "../../support/api_process.ts";
import { speechModelFiles } from "../../support/speech_model_files.ts";
import { ROOT } from "../../support/server_process.ts";

test("openai of Python streams, calls tools, gets valid JSON, embeds, makes images, speaks and sees errors", async () => {
  const python = process.env.SVC_TEST_PYTHON;
  assert.ok(python, "SVC_TEST_PYTHON is not set, run npm test -- python");
  const key = "secret-of-this-test";
  const voice = await speechModelFiles();
  const options = {
    models: ["tiny-chat", "tiny-embed", "tiny-image", "tiny-transcription"],
    ...voice && { voice },
  } as const;
  await withApiProcess(
    { ...options, args: [`--api-key=${key}`] },
    async ({ url, stderr }) => {
      const script = join(ROOT, "tests", "clients", "openai_python", "client.py");
      const args = [script, url, key, ...voice ? ["speech"] : []];
      const result = await runProcess(python, args, new Uint8Array());
      assert.equal(result.code, 0, `${new TextDecoder().decode(result.stdout)}${result.stderr}\n${stderr()}`);
    },
  );
});
