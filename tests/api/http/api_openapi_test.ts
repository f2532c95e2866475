import assert from "node:assert/strict";
import { unpackText } from "../../../lib/http/packed_text.ts";
import { test } from "node:test";
import { packedApiOpenApi } from "../../../lib/api/http/api_openapi.generated.ts";
import { CHAT, framesOf, modelApi, withApi } from "../../support/api_harness.ts";
import { chatFields } from "../../../lib/protocol/chat/chat_fields.ts";
import {
  checkForm,
  checkIds,
  checkPathParts,
  checkReferences,
  METHODS,
  operationsOf,
} from "../../support/document_checks.ts";

const { description } = modelApi;

// @row model-api > Endpoints > GET `/openapi.json`
test("GET /openapi.json of the model API answers with its document", () =>
  withApi({}, async (h) => {
    const response = await h.call("GET", "/openapi.json");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(await response.text(), await unpackText(packedApiOpenApi));
  }));

test("the document of the model API is of OpenAPI 3.1 and has what that demands", () => {
  checkForm(description);
  checkIds(description);
  checkReferences(description);
  checkPathParts(description);
});

// @row model-api > Versions > `/v1` prefix; runtime routes without
test("the document of the model API has every route and no other", () =>
  withApi({}, async (h) => {
    for (const [path, item] of Object.entries(description["paths"])) {
      const response = await h.call("OPTIONS", path.replace("{id}", "x"));
      const allowed = response.headers.get("allow")?.toLowerCase().split(", ") ?? [];
      assert.deepEqual(allowed.sort(), METHODS.filter((method) => method in item).sort(), path);
    }
  }));

test("the document of the model API requires a token where the server does", () =>
  withApi({ apiKey: "key" }, async (h) => {
    for (const { path, method, operation } of operationsOf(description)) {
      const open = JSON.stringify(operation["security"]) === "[]";
      const { status } = await h.call(method.toUpperCase(), path.replace("{id}", "chat-a"));
      assert.equal(status === 401, !open, `${method} ${path}`);
    }
  }));

test("the document of the model API has every field of a chat", () => {
  const described = Object.keys(description["components"]["schemas"]["ChatRequest"]["properties"]);
  const { entries } = chatFields as unknown as { readonly entries: object };
  assert.deepEqual(described.sort(), Object.keys(entries).sort());
});

// @row model-api > Events > Every chunk is described
test("every chunk of a stream is one that the document describes", () =>
  withApi({}, async (h) => {
    const frames = await framesOf(await h.chat({ stream: true, stream_options: { include_usage: true } }));
    for (const frame of frames.slice(0, -1)) {
      modelApi.assertMatches("/components/schemas/ChatChunk", frame, "a chunk");
    }
  }));

const user = { role: "user", content: "x" };
const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" } };
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const fits: [path: string, component: string, body: Record<string, unknown>, fits: boolean][] = [
  ["/v1/chat/completions", "ChatRequest", CHAT, true],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, temperature: null, stop: ["a"], unknown: 1 }, true],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, tools: [{ type: "function", function: { name: "f" } }] }, true],
  [
    "/v1/chat/completions",
    "ChatRequest",
    {
      model: "",
      messages: [
        { role: "developer", content: [{ type: "text", text: "x" }] },
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", content: "1", tool_call_id: "c" },
        user,
      ],
    },
    true,
  ],
  ["/v1/chat/completions", "ChatRequest", { messages: [user] }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, messages: [] }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, messages: [{ role: "robot", content: "x" }] }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, messages: [{ role: "system", content: [image] }] }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, temperature: 2.5 }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, top_logprobs: 21, logprobs: true }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, max_tokens: 0 }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, tool_choice: "sometimes" }, false],
  ["/v1/chat/completions", "ChatRequest", { ...CHAT, response_format: { type: "xml" } }, false],
  ["/v1/embeddings", "EmbeddingRequest", { model: "embed", input: ["x"] }, true],
  ["/v1/embeddings", "EmbeddingRequest", { model: "embed", input: [] }, false],
  ["/v1/embeddings", "EmbeddingRequest", { model: "embed", input: "x", encoding_format: "base64" }, false],
  ["/v1/rerank", "RerankRequest", { model: "rank", query: "q", documents: ["1", { text: "0" }] }, true],
  ["/v1/rerank", "RerankRequest", { model: "rank", query: "", documents: ["1"] }, false],
  ["/v1/rerank", "RerankRequest", { model: "rank", query: "q", documents: [] }, false],
];
for (const [path, component, body, is] of fits) {
  test(`${component} of the document and the server agree on ${JSON.stringify(body)}`, () =>
    withApi({}, async (h) => {
      assert.equal(modelApi.matchesComponent(component, body), is);
      assert.equal((await h.call("POST", path, { json: body })).status, is ? 200 : 400);
    }));
}
