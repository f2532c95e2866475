/**
 * Libraries and frameworks for Node and Python against a real server, by the Responses and the Messages; a step of its own
 * in scripts/test.mjs, since it needs what it installs. `SVC_TEST_FRAMEWORKS_NODE` is the folder with the packages of npm,
 * `SVC_TEST_FRAMEWORKS_PYTHON` the interpreter that has those of Python.
 */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { type ApiProcess, openApiProcess } from "../../support/api_process.ts";
import { ROOT } from "../../support/server_process.ts";

const KEY = "secret-of-this-test";
const FOLDER = join(ROOT, "tests", "clients", "frameworks");
/** The name of a model that LlamaIndex accepts. */
const ALIAS = "claude-sonnet-4-5-20250929";

let server: ApiProcess;

before(async () => {
  server = await openApiProcess({ models: ["tiny-chat", "tiny-embed", "tiny-vision"], args: [`--api-key=${KEY}`] });
  const response = await fetch(`${server.url}/runtime/models/tiny-chat/settings`, {
    method: "PATCH",
    headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ alias: ALIAS }),
  });
  assert.equal(response.status, 200, await response.text());
});
after(() => server.close());

/** Runs a program that prints `ok` and `failed` for its scenes. */
async function runScenes(program: string, script: string, scenes: number): Promise<void> {
  const { code, stdout, stderr } = await runProcess(program, [script, server.url, KEY], new Uint8Array());
  const report = new TextDecoder().decode(stdout);
  process.stdout.write(report);
  assert.equal(code, 0, `${report}${stderr}`);
  assert.equal(report.match(/^ok /gm)?.length, scenes);
}

test("openai, anthropic, the AI SDK and LangChain for Node speak Responses and Messages", async () => {
  const folder = process.env.SVC_TEST_FRAMEWORKS_NODE;
  assert.ok(folder, "SVC_TEST_FRAMEWORKS_NODE is not set, run npm test -- clients");
  // A program finds packages next to itself.
  const script = join(folder, "client.mjs");
  copyFileSync(join(FOLDER, "node", "client.mjs"), script);
  await runScenes(process.execPath, script, 22);
});

test("LangChain, openai-agents, pydantic-ai and LlamaIndex for Python speak Responses and Messages", async () => {
  const python = process.env.SVC_TEST_FRAMEWORKS_PYTHON;
  assert.ok(python, "SVC_TEST_FRAMEWORKS_PYTHON is not set, run npm test -- clients");
  await runScenes(python, join(FOLDER, "python", "client.py"), 20);
});
