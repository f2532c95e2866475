import assert from "node:assert/strict";
import { test } from "node:test";
import { withApi } from "../../support/api_harness.ts";
import { chatProfile, installed, usualModels } from "../../support/fake_catalog.ts";
import { hostileValues, ordinaryReading, withField } from "../../support/hostile_bodies.ts";

const messages = [{ role: "user", content: "Hello" }];
const routes: readonly [path: string, body: object, fields: readonly string[]][] = [
  [
    "/v1/chat/completions",
    { messages },
    [
      "messages",
      "model",
      "stop",
      "logit_bias",
      "metadata",
      "tools",
      "tool_choice",
      "response_format",
      "chat_template_kwargs",
      "thinking",
      "stream_options",
      "unknown",
    ],
  ],
  ["/v1/embeddings", { model: "embed-a", input: "x" }, ["model", "input", "encoding_format"]],
  ["/v1/rerank", { model: "rerank-a", query: "q", documents: ["d"] }, ["query", "documents", "rank_fields"]],
];

/** Fields within a message: what stands for the value is replaced by it. */
const inside: readonly [name: string, message: string][] = [
  ["content", '{"role":"user","content":VALUE}'],
  ["a name", '{"role":"user","content":"","name":VALUE}'],
  ["an image", '{"role":"user","content":[{"type":"image_url","image_url":{"url":VALUE}}]}'],
  ["tool_calls", '{"role":"assistant","content":"","tool_calls":VALUE}'],
  ["a call's name", '{"role":"assistant","tool_calls":[{"id":"1","function":{"name":VALUE,"arguments":"{}"}}]}'],
  ["an unknown field", '{"role":"user","content":"","x":VALUE}'],
];

const values = hostileValues(2 ** 20);

/** One body may take as long as reading this many of its size that are ordinary. */
const MAX_SLOWDOWN = 40;

const eye = installed(
  "chat-a",
  "chat.completions",
  chatProfile({ features: ["images", "tools", "stop", "json_object"] }),
);
const models = [eye, ...usualModels().slice(1)];

async function attack(path: string, bodies: Iterable<readonly [name: string, text: string]>): Promise<void> {
  const readImage = () => Promise.reject(new Error("no image may be read"));
  await withApi({ models, rateLimitPerMinute: 1e6, readImage }, async (h) => {
    const limit = MAX_SLOWDOWN * Math.max(ordinaryReading(), ordinaryReading(), 10);
    for (const [name, body] of bodies) {
      const begin = performance.now();
      const response = await h.call("POST", path, { headers: { "content-type": "application/json" }, body });
      const answer = await response.text();
      const took = performance.now() - begin;
      assert.ok(took < limit, `${name} took ${took} ms, expected less than ${limit}`);
      assert.ok(answer.length < 10_000, `${name}: the answer has ${answer.length} characters`);
      assert.ok(response.status < 500, `${name}: ${response.status} ${answer}`);
    }
    assert.deepEqual(h.errors, []);
  });
}

for (const [path, body, fields] of routes) {
  test(`POST ${path} refuses bodies of 1 MiB of every shape about as fast as they are read`, () =>
    attack(
      path,
      (function* () {
        for (const field of fields) {
          for (const [shape, value] of Object.entries(values)) {
            yield [`${field} of ${shape}`, withField(body, field, value)] as const;
          }
        }
      })(),
    ));
}

test("Messages are refused about as fast as they are read, whatever they contain", () =>
  attack(
    "/v1/chat/completions",
    (function* () {
      for (const [name, message] of inside) {
        for (const [shape, value] of Object.entries(values)) {
          const text = `{"messages":[${message.replace("VALUE", () => value)}]}`;
          yield [`${name} of ${shape}`, text] as const;
        }
      }
    })(),
  ));
