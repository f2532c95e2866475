import { hostileValues, withField } from "../../support/hostile_bodies.ts";
import { type Attack, post } from "./attack.ts";

const MIB = 2 ** 20;
const CHAT = "/v1/chat/completions";
const chat = { model: "tiny-chat", messages: [{ role: "user", content: "hi" }], max_completion_tokens: 5 };

/** Every hostile value in one field. */
function everyValue(path: string, body: object, field: string, bytes: number): Attack {
  return {
    name: `${path} with hostile ${field}`,
    run: async (url) => {
      const answers = new Map<string, number>();
      for (const [name, value] of Object.entries(hostileValues(bytes))) {
        const answer = await post(path, withField(body, field, value), /^(2|4|503)/)(url).catch((error) => {
          throw new Error(`${name}: ${error}`);
        });
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
      return [...answers].map(([answer, count]) => `${count} x ${answer}`).join(", ");
    },
  };
}

/** A schema whose references double at every step. */
function doubled(steps: number): object {
  const defs: Record<string, object> = { [`d${steps}`]: { type: "string" } };
  for (let i = 0; i < steps; i++) {
    defs[`d${i}`] = {
      type: "object",
      properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } },
    };
  }
  return { $defs: defs, $ref: "#/$defs/d0" };
}

const format = (schema: object) => ({ type: "json_schema", json_schema: { name: "a", schema, strict: true } });
const schemas: Readonly<Record<string, object>> = {
  "40 doubled references": doubled(40),
  "a reference to itself": { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
  "a schema of 10,000 properties": {
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, { type: "string" }])),
  },
  "an enumeration of 100,000": { enum: Array.from({ length: 100_000 }, (_, i) => `v${i}`) },
  "a count of 1e9": { type: "array", items: { type: "integer" }, minItems: 1e9, maxItems: 1e9 },
  "a length of 1e9": { type: "string", minLength: 1e9 },
  "a pattern that backtracks": { type: "string", pattern: "^(((a+)+)+)+$" },
  "a pattern with large counts": { type: "string", pattern: "^(((a{1000}){1000}){1000})$" },
  "a pattern of 100 KB": { type: "string", pattern: `^${"(a|b)*".repeat(16_000)}$` },
  "nested unions": Array.from({ length: 14 }).reduce((inner: object) => ({ anyOf: [inner, inner] }), {
    type: "string",
  }),
};

/** 25 KB of a schema none of whose properties has to be there. */
const optional = (title: string, limits: object = {}) => ({
  type: "object",
  title,
  additionalProperties: false,
  properties: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [
    `property_${i}`,
    { type: "string", description: "x".repeat(40), ...limits },
  ])),
});

const tool = (parameters: object) => ({ type: "function", function: { name: "f", parameters } });
const list = (count: number, item: unknown) => Array.from({ length: count }, () => item);

/** What one request, or a few, can do to a model API server. */
export const apiAttacks: readonly Attack[] = [
  ...[{}, { minLength: 1, maxLength: 300 }].map((limits) => ({
    name: `four schemas of 300 optional properties at once, ${JSON.stringify(limits)}`,
    beside: true,
    run: async (url: string) => {
      const ask = (title: string) =>
        post(CHAT, JSON.stringify({ ...chat, response_format: format(optional(title, limits)) }), /^(2|4|503)/)(url);
      return (await Promise.all(["a", "b", "c", "d"].map(ask))).join(", ");
    },
  })),
  ...["messages", "model", "tools", "stop", "response_format", "logit_bias", "metadata", "user", "unknown"].map((
    field,
  ) => everyValue(CHAT, chat, field, 10 * MIB - 4096)),
  ...["input", "model"].map((field) =>
    everyValue("/v1/embeddings", { model: "tiny-embed", input: "a" }, field, 4 * MIB)
  ),
  ...["query", "documents", "model"].map((field) =>
    everyValue("/v1/rerank", { model: "tiny-rerank", query: "a", documents: ["a"] }, field, 4 * MIB)
  ),
  ...Object.entries(schemas).map(([name, schema]) => ({
    name: `a response format with ${name}`,
    run: post(CHAT, JSON.stringify({ ...chat, response_format: format(schema) }), /^(2|4|503)/),
  })),
  ...Object.entries(schemas).map(([name, schema]) => ({
    name: `a tool with ${name}`,
    run: post(CHAT, JSON.stringify({ ...chat, tools: [tool(schema)], tool_choice: "required" }), /^(2|4|503)/),
  })),
  {
    name: "a picture as a data URL of 8 MiB of zeros",
    run: post(
      CHAT,
      JSON.stringify({
        ...chat,
        model: "tiny-vision",
        messages: [{
          role: "user",
          content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${"AAAA".repeat(2 * MIB)}` } }],
        }],
      }),
      /^4/,
    ),
  },
  {
    name: "10,000 texts to embed",
    run: post("/v1/embeddings", JSON.stringify({ model: "tiny-embed", input: list(10_000, "a b c") }), /^(2|4)/),
  },
  {
    name: "10,000 documents to rank",
    run: post(
      "/v1/rerank",
      JSON.stringify({ model: "tiny-rerank", query: "a", documents: list(10_000, "a b") }),
      /^(2|4)/,
    ),
  },
  {
    name: "one text of 4 MB to embed",
    run: post("/v1/embeddings", JSON.stringify({ model: "tiny-embed", input: "word ".repeat(800_000) }), /^4/),
  },
  {
    name: "a message of 9 MB",
    run: post(
      CHAT,
      JSON.stringify({ ...chat, messages: [{ role: "user", content: "word ".repeat(1_800_000) }] }),
      /^4/,
    ),
  },
  {
    name: "a message of 9 MB without spaces",
    run: post(CHAT, JSON.stringify({ ...chat, messages: [{ role: "user", content: "é".repeat(4_500_000) }] }), /^4/),
  },
  {
    name: "1000 stop words that overlap",
    run: post(CHAT, JSON.stringify({ ...chat, stop: list(1000, "a".repeat(1000)) }), /^(2|4)/),
  },
  ...[{ temperature: 5e-324 }, { repetition_penalty: 1e-38 }, { repetition_penalty: 1e38 }].map((numbers) => ({
    name: `numbers at their ends, ${JSON.stringify(numbers)}`,
    run: post(CHAT, JSON.stringify({ ...chat, ...numbers }), /^2/),
  })),
  {
    name: "200 chats at once, all of which go away",
    run: async (url) => {
      const all = await Promise.all(
        list(200, 0).map(async (_, i) => {
          const signal = AbortSignal.timeout(20 + i);
          const body = JSON.stringify({ ...chat, stream: i % 2 === 0, max_completion_tokens: 2000 });
          const headers = { "content-type": "application/json" };
          return await fetch(url + CHAT, { method: "POST", headers, body, signal })
            .then(async (answer) => (await answer.text(), String(answer.status)), () => "gone").catch(() => "gone");
        }),
      );
      return [...new Set(all)].join(", ");
    },
  },
];
