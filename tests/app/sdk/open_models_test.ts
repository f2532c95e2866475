import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import { rerankModel } from "../../fixtures/tiny_models/rerank_model.ts";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";
import { makeTemporaryDirectory } from "../../../lib/platform/files/work_folder.ts";
import { openModels } from "../../../lib/app/models/open_models.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const asking = (content: string, fields: object = {}) => ({ messages: [{ role: "user", content }], ...fields });

test("openModels() chats whole and in pieces, and ends its process", async () => {
  const folder = await makeTemporaryDirectory();
  writeModel(
    folder.path,
    onnxChatModel({
      kind: "gqa",
      weights: "f32",
      script: [
        { when: "long", say: "One two three. ".repeat(40) },
        { when: "forever", say: "on and ", endless: true },
        { when: "", say: "Hello there." },
      ],
    }),
  );
  const fractions: number[] = [];
  const models = await openModels({
    model: folder.path,
    device: "cpu",
    threads: 1,
    contextSize: 2048,
    memoryGuard: { tier: "off" },
    onLoad: (_model, fraction) => fractions.push(fraction),
  });
  assert.equal((await models.list()).length > 0, true);
  assert.equal(fractions.at(-1), 1);

  const { choices: [{ message, finish_reason }], usage, object } = await models.chat(asking("Hi"));
  assert.deepEqual([object, message.content, finish_reason], ["chat.completion", "Hello there.", "stop"]);
  assert.ok(usage.prompt_tokens > 0 && usage.completion_tokens > 0);

  let text = "";
  const chunks = [];
  for await (const chunk of models.stream(asking("long", { stream_options: { include_usage: true } }))) {
    text += chunk.choices[0]?.delta.content ?? "";
    chunks.push(chunk);
  }
  assert.equal(text, "One two three. ".repeat(40));
  assert.equal(chunks[0].choices[0]?.delta.role, "assistant");
  assert.ok(chunks.length > 5);
  assert.ok(chunks.at(-1)?.usage?.completion_tokens);

  // Tokens of the script are longer than the text may be.
  const schema = { type: "object", properties: { a: { type: "string", minLength: 4, maxLength: 6 } }, required: ["a"] };
  const format = { type: "json_schema", json_schema: { name: "a", schema, strict: true } };
  for (let seed = 0; seed < 4; seed++) {
    const { choices: [{ message }] } = await models.chat(
      asking("long", { response_format: format, seed, temperature: seed % 2 }),
    );
    const { length } = [...JSON.parse(message.content).a];
    assert.ok(length >= 4 && length <= 6, message.content);
  }

  // Leaving the loop frees the one place there is.
  for await (const chunk of models.stream(asking("forever"))) if (chunk.choices[0]?.delta.content) break;
  const abort = new AbortController();
  const stopped = (async () => {
    for await (const chunk of models.stream(asking("forever"), { signal: abort.signal })) {
      if (chunk.choices[0]?.delta.content) abort.abort(new Error("enough"));
    }
  })();
  await assert.rejects(stopped, /enough/);
  await assert.rejects(models.chat(asking("Hi"), { signal: AbortSignal.abort(new Error("before")) }), /before/);

  const refused = (error: unknown) => error instanceof SvcError && error.code === "context_length_exceeded";
  await assert.rejects(models.chat(asking("much ".repeat(5000))), refused);
  await assert.rejects(models.stream(asking("much ".repeat(5000))).next(), refused);

  const answers = await Promise.all([1, 2, 3].map(() => models.chat(asking("Hi"))));
  assert.deepEqual(answers.map(({ choices }) => choices[0].message.content), Array(3).fill("Hello there."));
  await models[Symbol.asyncDispose]();
  await assert.rejects(models.chat(asking("Hi")), /stop|closed|end/);
  await folder.remove();
});

test("openModels() embeds and ranks by the path of a folder", async () => {
  const folder = await makeTemporaryDirectory();
  const [embedding, rerank] = [join(folder.path, "embedding"), join(folder.path, "rerank")];
  writeModel(embedding, embeddingModel());
  writeModel(rerank, rerankModel());
  await using models = await openModels({ device: "cpu", threads: 1, memoryGuard: { tier: "off" } });
  const { data, usage } = await models.embed({ model: embedding, input: ["one", "two"], encoding_format: "float" });
  assert.equal(data.length, 2);
  assert.ok(data[0].embedding.length > 0 && usage.prompt_tokens > 0);
  const { results } = await models.rerank({ model: rerank, query: "one", documents: ["two", "one"] });
  assert.deepEqual(results.map(({ index }) => index).sort(), [0, 1]);
  await folder.remove();
});

test("openModels() names a model that does not exist", async () => {
  await assert.rejects(openModels({ model: "no/such/model", memoryGuard: { tier: "off" } }), {
    message: "Cannot serve no/such/model: no installed model or file has this name, see svc model list",
  });
});
