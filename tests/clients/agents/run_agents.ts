/**
 * `deno task proof:agents`: the tool loops of OpenAI's clients for JavaScript and Python, and of the frameworks OpenAI
 * Agents, Pydantic AI and LangChain, against tiny models of four architectures on three engines, whole and streamed.
 * The answers of the models are scripted, their graphs are those of published exports. `SVC_AGENTS_PYTHON` is an
 * interpreter that has the packages of requirements.txt.
 */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { addModel } from "../../../lib/store/add_model.ts";
import { openModelStore } from "../../../lib/store/model_store.ts";
import { runProcess } from "../../../lib/platform/processes/run_process.ts";
import { ggufChatModel } from "../../fixtures/tiny_models/gguf_chat_model.ts";
import { libraryVisionModel } from "../../fixtures/tiny_models/library_vision_model.ts";
import type { ModelFiles } from "../../fixtures/tiny_models/model_files.ts";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { DEFAULT_ANSWERS } from "../../fixtures/tiny_models/scripted_answers.ts";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";
import { type ApiProcess, openApiProcess } from "../../support/api_process.ts";
import { ROOT } from "../../support/server_process.ts";

const ANSWER = "The tool says that it is sunny and 21 degrees in Paris.";

/** Files of each architecture, and the engine that has to take them. */
const models: Readonly<Record<string, readonly [engine: string, files: () => ModelFiles]>> = {
  "qwen2-4-bit": ["onnx-text", () => onnxChatModel({ kind: "gqa", weights: "q4", logitsToKeep: true })],
  "qwen2-gguf": ["gguf-text", () => ggufChatModel({ weights: "q8_0" })],
  "lfm2-hybrid": ["onnx-text", () => onnxChatModel({ kind: "gqa", mixer: "conv", logitsToKeep: true })],
  "qwen3.5-hybrid": ["onnx-text", () => onnxChatModel({ kind: "std", mixer: "recurrent", threePositions: true })],
  "qwen2-vl": ["transformers-js", () => libraryVisionModel("qwen2_vl", true, DEFAULT_ANSWERS)],
  "gemma-3n": ["transformers-js", () => libraryVisionModel("gemma3n", true, DEFAULT_ANSWERS)],
};
const ids = Object.keys(models);

let server: ApiProcess;

before(async () => {
  server = await openApiProcess({ models: [] });
  const store = openModelStore(join(server.home, "models"));
  for (const [id, [, files]] of Object.entries(models)) {
    const path = join(server.home, "sources", id);
    mkdirSync(path, { recursive: true });
    writeModel(path, files());
    await addModel(store, { path, id }, () => {}, new AbortController().signal);
  }
});
after(() => server.close());

for (const [id, [engine]] of Object.entries(models)) {
  test(`openai of npm calls a tool with ${id} on ${engine}, whole and streamed`, async () => {
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "none", maxRetries: 0 });
    for (const stream of [false, true]) {
      const cities: string[] = [];
      const request = {
        model: id,
        messages: [{ role: "user" as const, content: "What is the weather?" }],
        tools: [{
          type: "function" as const,
          function: {
            name: "get_weather",
            description: "The weather of a city.",
            parameters: { type: "object", properties: { city: { type: "string" } } },
            parse: JSON.parse,
            function: ({ city }: { city: string }) => {
              cities.push(city);
              return "sunny, 21 degrees";
            },
          },
        }],
      };
      const runner = stream
        ? client.chat.completions.runTools({ ...request, stream: true })
        : client.chat.completions.runTools(request);
      assert.equal(await runner.finalContent(), ANSWER);
      assert.deepEqual(cities, ["Paris"]);
    }
    const { models: loaded } = await server.get("/runtime/status");
    const entry = loaded.find((model: { id: string }) => model.id === id);
    assert.equal(entry.engine, engine);
  });
}

test("OpenAI's client for Python and three agent frameworks call a tool with every model", async () => {
  const python = process.env.SVC_AGENTS_PYTHON;
  assert.ok(python, "SVC_AGENTS_PYTHON is not set: name a Python with the packages of requirements.txt");
  const script = join(ROOT, "tests", "clients", "agents", "tool_loops.py");
  const { code, stdout, stderr } = await runProcess(python, [script, `${server.url}/v1`, ...ids], new Uint8Array());
  const report = new TextDecoder().decode(stdout);
  process.stdout.write(report);
  assert.equal(code, 0, `${report}${stderr}`);
  assert.equal(report.match(/^ok /gm)?.length, 8 * ids.length);
});
