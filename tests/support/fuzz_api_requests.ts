import fc from "fast-check";
import type { CallInit } from "./api_harness.ts";

/** A request to a model API that may be wrong in any way. */
export interface FuzzedApiRequest extends CallInit {
  readonly method: string;
  readonly path: string;
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(0, -1, 1e308, 2 ** 53, "", "\0", "x".repeat(5000), null, [], {}),
);
/** One of these, and now and then anything. */
const mostly = <T>(good: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: anything });
const model = mostly(
  fc.constantFrom("chat-a", "", "CHAT-B", "embed", "rank", "nobody", "../x", "./x", "/etc", "known-chat", "a b"),
);
const text = mostly(fc.constantFrom("Hi", "", "é😀", "x".repeat(300), "\ud800"));
const part = mostly(fc.oneof(
  fc.record({ type: fc.constantFrom("text", "input_text", "refusal"), text }),
  fc.record({
    type: fc.constant("image_url"),
    image_url: fc.record({
      url: fc.constantFrom("data:image/png;base64,iVBORw0KGgo=", "http://x/y", "x.png", "file://"),
    }),
  }),
));
const content = mostly(fc.oneof(text, fc.array(part, { maxLength: 3 })));
const call = mostly(fc.record({
  id: text,
  type: fc.constant("function"),
  function: fc.record({ name: text, arguments: fc.constantFrom("{}", "{", '{"a":1}', "[]") }),
}));
const message = mostly(fc.record({
  role: mostly(fc.constantFrom("user", "system", "developer", "assistant", "tool", "User", "robot")),
  content,
  tool_calls: fc.array(call, { maxLength: 2 }),
  tool_call_id: text,
  reasoning_content: text,
}, { requiredKeys: ["role", "content"] }));
const tool = mostly(fc.record({
  type: fc.constant("function"),
  function: fc.record({ name: mostly(fc.constantFrom("f", "g", "")), parameters: anything, strict: fc.boolean() }, {
    requiredKeys: ["name"],
  }),
}));
const chat = fc.record({
  model,
  messages: mostly(fc.array(message, { minLength: 1, maxLength: 4 })),
  temperature: mostly(fc.constantFrom(0, 1, 2, 3)),
  max_tokens: mostly(fc.constantFrom(1, 1000, 1001, 0)),
  max_completion_tokens: mostly(fc.constantFrom(1, 1000)),
  stop: mostly(fc.constantFrom("x", ["x", ""])),
  stream: mostly(fc.boolean()),
  stream_options: anything,
  logprobs: mostly(fc.boolean()),
  top_logprobs: mostly(fc.constantFrom(0, 20, 21)),
  tools: mostly(fc.array(tool, { maxLength: 3 })),
  tool_choice: mostly(fc.constantFrom("auto", "none", "required", { type: "function", function: { name: "f" } })),
  response_format: mostly(fc.constantFrom({ type: "text" }, { type: "json_object" }, { type: "xml" })),
  reasoning_effort: mostly(fc.constantFrom("low", "none", "max")),
  n: anything,
  logit_bias: anything,
  mirostat: anything,
  unknown: anything,
}, { requiredKeys: ["model", "messages"] });
const embeddings = fc.record({
  model: mostly(fc.constantFrom("embed", "chat-a", "./x", "nobody")),
  input: mostly(fc.oneof(text, fc.array(text, { maxLength: 300 }))),
  encoding_format: anything,
  dimensions: anything,
}, { requiredKeys: ["model", "input"] });
const rerank = fc.record({
  model: mostly(fc.constantFrom("rank", "embed", "nobody")),
  query: text,
  documents: mostly(fc.array(mostly(fc.oneof(fc.constantFrom("0", "1"), fc.record({ text }))), { maxLength: 300 })),
  top_n: mostly(fc.constantFrom(1, 2, 0)),
  return_documents: mostly(fc.boolean()),
}, { requiredKeys: ["model", "query", "documents"] });
const block = mostly(fc.oneof(
  fc.record({ type: fc.constant("text"), text }),
  fc.record({
    type: fc.constant("image"),
    source: mostly(fc.constantFrom({ type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" }, { type: "url" })),
  }),
  fc.record({ type: fc.constant("tool_use"), id: fc.constantFrom("c", "d", ""), name: text, input: anything }),
  fc.record({ type: fc.constant("tool_result"), tool_use_id: fc.constantFrom("c", "e"), content, is_error: anything }, {
    requiredKeys: ["type", "tool_use_id"],
  }),
  fc.record({ type: fc.constant("thinking"), thinking: text }),
));
const messages = fc.record({
  model,
  max_tokens: mostly(fc.constantFrom(1, 1000, 1001)),
  system: mostly(fc.oneof(text, fc.array(block, { maxLength: 2 }))),
  messages: mostly(
    fc.array(
      mostly(fc.record({
        role: mostly(fc.constantFrom("user", "user", "assistant")),
        content: mostly(fc.oneof(text, fc.array(block, { maxLength: 3 }))),
      })),
      { minLength: 1, maxLength: 4 },
    ),
  ),
  tools: mostly(
    fc.array(mostly(fc.record({ name: fc.constantFrom("f", "g"), input_schema: anything })), { maxLength: 2 }),
  ),
  tool_choice: mostly(fc.constantFrom({ type: "any" }, { type: "tool", name: "f" }, { type: "none" })),
  thinking: mostly(fc.constantFrom({ type: "disabled" }, { type: "enabled", budget_tokens: 9 })),
  stop_sequences: anything,
  output_config: anything,
  stream: mostly(fc.boolean()),
}, { requiredKeys: ["model", "max_tokens", "messages"] });
const item = mostly(fc.oneof(
  fc.record({ role: mostly(fc.constantFrom("user", "assistant", "developer")), content }),
  fc.record({ type: fc.constant("function_call"), call_id: fc.constantFrom("c", "d"), name: text, arguments: text }),
  fc.record({
    type: fc.constant("function_call_output"),
    call_id: fc.constantFrom("c", "e"),
    output: mostly(fc.oneof(text, fc.array(fc.record({ type: fc.constant("input_text"), text }), { maxLength: 2 }))),
  }),
  fc.record({ type: fc.constant("reasoning"), summary: anything, content: anything }, { requiredKeys: ["type"] }),
  fc.constant({ type: "item_reference", id: "msg_1" }),
));
const responses = fc.record({
  model,
  input: mostly(fc.oneof(text, fc.array(item, { minLength: 1, maxLength: 4 }))),
  instructions: text,
  previous_response_id: fc.constantFrom(undefined, null, "resp_1"),
  tools: mostly(
    fc.array(mostly(fc.record({ type: fc.constant("function"), name: text, parameters: anything })), { maxLength: 2 }),
  ),
  tool_choice: anything,
  text: anything,
  reasoning: anything,
  include: anything,
  metadata: anything,
  max_output_tokens: mostly(fc.constantFrom(1, 1000, 1001)),
  stream: mostly(fc.boolean()),
}, { requiredKeys: ["model", "input"] });
const completion = fc.record({
  model,
  prompt: mostly(fc.oneof(text, fc.array(fc.nat(300), { maxLength: 3 }), fc.array(text, { maxLength: 3 }))),
  suffix: text,
  echo: mostly(fc.boolean()),
  logprobs: mostly(fc.constantFrom(0, 5, 6)),
  stream: mostly(fc.boolean()),
}, { requiredKeys: ["model", "prompt"] });
const tokens = fc.record({ model, content: text, tokens: mostly(fc.array(fc.nat(300), { maxLength: 3 })) }, {
  requiredKeys: [],
});
const settings = fc.record({
  alias: mostly(fc.constantFrom("a", "chat-b", "a b", null)),
  pinned: mostly(fc.boolean()),
  ttlSeconds: mostly(fc.constantFrom(1, 0)),
  topP: mostly(fc.constantFrom(0, 1, 2)),
  kvCacheMode: mostly(fc.constantFrom("default", "affine8", "auto")),
}, { requiredKeys: ["alias"] });

const id = fc.constantFrom("chat-a", "chat-b", "embed", "nobody", "known-chat", "%20", "a%2Fb", "%", "é");
const body = (path: string, json: fc.Arbitrary<unknown>): fc.Arbitrary<FuzzedApiRequest> =>
  mostly(json).map((value) => ({ method: "POST", path, json: value ?? null }));
const plain: fc.Arbitrary<FuzzedApiRequest> = fc.record({
  method: fc.constantFrom("GET", "POST", "HEAD", "PATCH", "DELETE", "OPTIONS"),
  path: fc.oneof(
    fc.constantFrom(
      "/health",
      "/metrics",
      "/openapi.json",
      "/v1/models",
      "/runtime/status",
      "/",
      "//",
      "/v1/chat/completions",
    ),
    id.map((name) => `/v1/models/${name}`),
    fc.tuple(id, fc.constantFrom("load", "unload", "settings", "x")).map(([name, what]) =>
      `/runtime/models/${name}/${what}`
    ),
  ),
});
const raw: fc.Arbitrary<FuzzedApiRequest> = fc.record({
  method: fc.constantFrom("POST", "PATCH"),
  path: fc.constantFrom("/v1/chat/completions", "/v1/embeddings", "/runtime/models/chat-a/settings"),
  headers: fc.constantFrom(
    { "content-type": "application/json" },
    { "content-type": "text/plain" },
    { "content-type": "application/json", origin: "https://evil.example.com" },
    { "content-type": "application/json", host: "evil.example.com" },
  ),
  body: fc.oneof(fc.string(), fc.constantFrom("{", "[]", "{}", '{"a":1,"a":2}', "\ud800")),
});

/** Requests of all kinds. */
export const apiRequests: fc.Arbitrary<FuzzedApiRequest> = fc.oneof(
  { weight: 6, arbitrary: body("/v1/chat/completions", chat) },
  { weight: 3, arbitrary: body("/v1/messages", messages) },
  { weight: 1, arbitrary: body("/v1/messages/count_tokens", messages) },
  { weight: 3, arbitrary: body("/v1/responses", responses) },
  { weight: 2, arbitrary: body("/v1/completions", completion) },
  { weight: 1, arbitrary: body("/tokenize", tokens) },
  { weight: 1, arbitrary: body("/detokenize", tokens) },
  { weight: 1, arbitrary: body("/apply-template", chat) },
  { weight: 2, arbitrary: body("/v1/embeddings", embeddings) },
  { weight: 2, arbitrary: body("/v1/rerank", rerank) },
  {
    weight: 2,
    arbitrary: fc.tuple(id, mostly(settings)).map(([name, value]) => ({
      method: "PATCH",
      path: `/runtime/models/${name}/settings`,
      json: value ?? null,
    })),
  },
  { weight: 2, arbitrary: plain },
  { weight: 1, arbitrary: raw },
);
