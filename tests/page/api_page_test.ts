import assert from "node:assert/strict";
import { unpackText } from "../../lib/http/packed_text.ts";
import { test } from "node:test";
import { ChatAnswer } from "../../api-page/chat_answer.ts";
import { type ApiDocument, fieldsOf, resolve, typeText } from "../../api-page/read_openapi.ts";
import { curlLine, openaiCode, sdkCode } from "../../api-page/snippets.ts";
import { packedApiOpenApi } from "../../lib/api/http/api_openapi.generated.ts";
import type { ChatChunk, FinishReason, WireDelta, WireUsage } from "../../lib/protocol/chat/chat_wire.ts";

const at = { base: "http://127.0.0.1:8080", keyed: true };

const description = await unpackText(packedApiOpenApi);

test("lines of curl quote what a shell would read, and name the variable of the key", () => {
  const body = { model: "m", input: ["it's $HOME `x`"] };
  assert.equal(
    curlLine({ path: "/v1/embeddings", body }, at),
    `curl -sS 'http://127.0.0.1:8080/v1/embeddings' \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "model": "m",
  "input": [
    "it'\\''s $HOME \`x\`"
  ]
}'`,
  );
  const spoken = curlLine({ path: "/v1/audio/transcriptions", body: { model: "m" }, file: "a.wav" }, {
    ...at,
    keyed: false,
  });
  assert.equal(
    spoken,
    `curl -sS 'http://127.0.0.1:8080/v1/audio/transcriptions' \\\n  -F 'file=@a.wav' \\\n  -F 'model=m'`,
  );
});

test("programs name fields as TypeScript does; this SDK has no method for images and sound", () => {
  const body = { model: "m", input: "a", encoding_format: "float" };
  const code = openaiCode({ path: "/v1/embeddings", body }, at);
  assert.match(code, /baseURL: "http:\/\/127\.0\.0\.1:8080\/v1", apiKey: process\.env\.SVC_API_KEY/);
  assert.match(code, /embeddings\.create\(\{\n {2}model: "m",\n {2}input: "a",\n {2}encoding_format: "float"\n\}\)/);
  assert.match(sdkCode({ path: "/v1/embeddings", body })!, /models\.embed\(\{\n {2}model: "m",\n {2}input: "a"\n\}\)/);
  assert.equal(sdkCode({ path: "/v1/audio/speech", body }), undefined);
  const sound = openaiCode({ path: "/v1/audio/transcriptions", body: { model: "m" }, file: "a.wav" }, at);
  assert.match(sound, /create\(\{\n {2}file: createReadStream\("a\.wav"\),\n {2}model: "m"\n\}\)/);
});

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 0, model: "m" } as const;

function chunk(delta: WireDelta, finish_reason: FinishReason | null = null): ChatChunk {
  return { ...head, choices: [{ index: 0, delta, finish_reason }] };
}

test("an answer is collected from its chunks, with its speed where that can be measured", () => {
  const answer = new ChatAnswer(1000);
  const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } } as const;
  answer.add(chunk({ role: "assistant", content: "" }), 1100);
  answer.add(chunk({ reasoning_content: "Why" }), 1500);
  answer.add(chunk({ tool_calls: [{ index: 0, ...call }] }), 2500);
  answer.add(chunk({}, "length"), 2600);
  answer.add({ ...head, choices: [], usage: { completion_tokens: 11 } as WireUsage }, 2700);
  assert.deepEqual(answer.message(), { role: "assistant", content: null, tool_calls: [call] });
  assert.equal(answer.facts(), "11 tokens · 10.0 tokens/s · first after 0.50 s · ended at the token limit");
  const burst = new ChatAnswer(0);
  burst.add(chunk({ content: "Hi" }, "stop"), 10);
  assert.deepEqual([burst.message(), burst.facts()], [{ role: "assistant", content: "Hi" }, "first after 0.01 s"]);
});

test("an API description is read: references, types in words, fields with their limits", () => {
  const api = JSON.parse(description) as ApiDocument;
  const fields = fieldsOf(api, { $ref: "#/components/schemas/ChatRequest" });
  const field = (name: string) => fields.find((field) => field.name === name);
  assert.deepEqual(field("temperature"), {
    name: "temperature",
    type: "number | null",
    note: "at least 0, at most 2",
    required: false,
    depth: 0,
  });
  assert.equal(field("messages")?.required, true);
  assert.match(field("messages")!.type, /^array of #TextMessage \| #UserMessage/);
  assert.equal(typeText({ enum: ["a", null] }), '"a" | null');
  assert.equal(
    resolve(api, { $ref: "#/components/responses/Unauthorized" } as { $ref?: string; description?: string })
      .description,
    descriptionOf("Unauthorized"),
  );
});

function descriptionOf(name: string): string {
  return JSON.parse(description).components.responses[name].description;
}
