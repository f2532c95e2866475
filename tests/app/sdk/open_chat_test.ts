import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";
import { makeTemporaryDirectory } from "../../../lib/platform/files/temporary_directory.ts";
import { openChat } from "../../../lib/app/models/open_chat.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const asking = (content: string, fields: object = {}) => ({ messages: [{ role: "user", content }], ...fields });

test("openChat() answers whole and in pieces, and ends its process", async () => {
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
  const chat = await openChat(folder.path, {
    device: "cpu",
    threads: 1,
    contextSize: 2048,
    onProgress: (fraction) => fractions.push(fraction),
  });
  assert.deepEqual([chat.model.device, chat.model.context], ["cpu", 2048]);
  assert.equal(fractions.at(-1), 1);

  const { choices: [{ message, finish_reason }], usage, object } = await chat.complete(asking("Hi"));
  assert.deepEqual([object, message.content, finish_reason], ["chat.completion", "Hello there.", "stop"]);
  assert.ok(usage.prompt_tokens > 0 && usage.completion_tokens > 0);

  let text = "";
  const chunks = [];
  for await (const chunk of chat.stream(asking("long", { stream_options: { include_usage: true } }))) {
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
    const { choices: [{ message }] } = await chat.complete(
      asking("long", { response_format: format, seed, temperature: seed % 2 }),
    );
    const { length } = [...JSON.parse(message.content).a];
    assert.ok(length >= 4 && length <= 6, message.content);
  }

  // Leaving the loop frees the one place there is.
  for await (const chunk of chat.stream(asking("forever"))) if (chunk.choices[0]?.delta.content) break;
  const abort = new AbortController();
  const stopped = (async () => {
    for await (const chunk of chat.stream(asking("forever"), { signal: abort.signal })) {
      if (chunk.choices[0]?.delta.content) abort.abort(new Error("enough"));
    }
  })();
  await assert.rejects(stopped, /enough/);
  await assert.rejects(chat.complete(asking("Hi"), { signal: AbortSignal.abort(new Error("before")) }), /before/);

  const refused = (error: unknown) => error instanceof SvcError && error.code === "context_length_exceeded";
  await assert.rejects(chat.complete(asking("much ".repeat(5000))), refused);
  await assert.rejects(chat.stream(asking("much ".repeat(5000))).next(), refused);

  const answers = await Promise.all([1, 2, 3].map(() => chat.complete(asking("Hi"))));
  assert.deepEqual(answers.map(({ choices }) => choices[0].message.content), Array(3).fill("Hello there."));
  await chat[Symbol.asyncDispose]();
  await assert.rejects(chat.complete(asking("Hi")), /its process has ended/);
  await folder.remove();
});

test("openChat() names what is not there", async () => {
  await assert.rejects(openChat("no/such/model"), {
    message: "Cannot open no/such/model: no model of that name is installed and there is no such file, " +
      "run svc model pull no/such/model",
  });
});
