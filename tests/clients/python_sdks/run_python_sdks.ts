/**
 * The clients of OpenAI and Anthropic for Python against a real server; a step of its own in scripts/test.mjs, since it
 * needs Python and what it installs. `SVC_TEST_PYTHON` is the interpreter that has the packages.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { withApiProcess } from "../../support/api_process.ts";
import { speechModelFiles } from "../../support/speech_model_files.ts";
import { ROOT } from "../../support/server_process.ts";

const KEY = "secret-of-this-test";

/** Fails unless a program says that all is well. */
async function runClient(script: string, args: readonly string[], log: () => string): Promise<void> {
  const python = process.env.SVC_TEST_PYTHON;
  assert.ok(python, "SVC_TEST_PYTHON is not set, run npm test -- python");
  const path = join(ROOT, "tests", "clients", "python_sdks", script);
  const result = await runProcess(python, [path, ...args], new Uint8Array());
  assert.equal(result.code, 0, `${new TextDecoder().decode(result.stdout)}${result.stderr}\n${log()}`);
}

test("openai of Python streams, calls tools, gets valid JSON, embeds, makes images, speaks and sees errors", async () => {
  const voice = await speechModelFiles();
  const models = ["tiny-chat", "tiny-embed", "tiny-image", "tiny-transcription"] as const;
  await withApiProcess(
    { models, ...voice && { voice }, args: [`--api-key=${KEY}`] },
    ({ url, stderr }) => runClient("openai_client.py", [url, KEY, ...voice ? ["speech"] : []], stderr),
  );
});

test("openai and anthropic of Python speak Responses, Messages and completions", () =>
  withApiProcess(
    { models: ["tiny-chat", "tiny-vision"], args: [`--api-key=${KEY}`] },
    ({ url, stderr }) => runClient("dialects_client.py", [url, KEY], stderr),
  ));

test("openai of Python converses by Realtime: texts, functions, speech, sound and errors", async () => {
  const voice = await speechModelFiles();
  await withApiProcess(
    { models: ["tiny-chat", "tiny-transcription"], ...voice && { voice }, args: [`--api-key=${KEY}`] },
    ({ url, stderr }) => runClient("realtime_client.py", [url, KEY, ...voice ? ["speech"] : []], stderr),
  );
});
