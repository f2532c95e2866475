import assert from "node:assert/strict";
import { test } from "node:test";
import type { GenerationJob, LanguageModel } from "../../../lib/engines/contract/language_model.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import { type ApiHarness, eventsOf, framesOf, withApi } from "../../support/api_harness.ts";
import { chatProfile, installed } from "../../support/fake_catalog.ts";
import { withTinyModel } from "../../support/tiny_text_model.ts";

/** A chat in the words of none of the APIs. */
interface Spoken {
  readonly system: string | undefined;
  readonly turns: readonly Turn[];
  readonly tools: readonly string[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly stream: boolean;
}

type Turn =
  | { readonly by: "user" | "model"; readonly text: string }
  | { readonly by: "call"; readonly id: string; readonly name: string; readonly json: string; readonly result: string };

const WORDS = ["one", "two words", "é€ 好", '"quoted"', "a\nline", "x".repeat(60)];

/** Forty chats that differ in everything that all three APIs have. */
const spoken: Spoken[] = Array.from({ length: 40 }, (_, i): Spoken => {
  const word = (n: number): string => WORDS[(i + n) % WORDS.length];
  const tools = i % 4 === 0 ? ["look", "go"] : [];
  const call = { by: "call", id: `c${i}`, name: "look", json: `{"at":[${i}, 1.50],"b":"x"}`, result: word(3) } as const;
  const before: Turn[] = i % 3 === 0 ? [{ by: "user", text: word(1) }, { by: "model", text: word(2) }] : [];
  const called: Turn[] = tools.length > 0 && i % 8 === 0 ? [{ by: "user", text: word(4) }, call] : [];
  return {
    system: i % 2 === 0 ? word(5) : undefined,
    turns: [...before, ...called, { by: "user", text: `${word(0)} ${i}` }],
    tools,
    maxTokens: 3 + i % 5,
    temperature: i % 5 === 0 ? 0.9 : 0,
    stream: i % 2 === 1,
  };
});

const schema = '{"type":"object","properties":{"at":{"type":"array"},"9":{"type":"number","maximum":1.0}}}';
const parameters = (text: string): string => text.replaceAll('"SCHEMA"', schema);

/** The body of a request in each API, with its numbers as they are written here. */
const dialects: Record<string, (chat: Spoken) => [path: string, body: string]> = {
  chats: ({ system, turns, tools, maxTokens, temperature, stream }) => {
    const messages = turns.flatMap((turn): object[] => {
      if (turn.by !== "call") return [{ role: turn.by === "user" ? "user" : "assistant", content: turn.text }];
      const { id, name, json } = turn;
      return [
        { role: "assistant", content: "", tool_calls: [{ id, type: "function", function: { name, arguments: json } }] },
        { role: "tool", tool_call_id: id, content: turn.result },
      ];
    });
    return [
      "/v1/chat/completions",
      JSON.stringify({
        ...common(temperature, stream),
        max_tokens: maxTokens,
        messages: [...system === undefined ? [] : [{ role: "system", content: system }], ...messages],
        tools: tools.map((name) => ({ type: "function", function: { name, parameters: "SCHEMA" } })),
      }),
    ];
  },
  messages: ({ system, turns, tools, maxTokens, temperature, stream }) => {
    const messages = turns.flatMap((turn): object[] => {
      if (turn.by !== "call") {
        return [{ role: turn.by === "user" ? "user" : "assistant", content: [{ type: "text", text: turn.text }] }];
      }
      return [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: turn.id, name: turn.name, input: `INPUT${turn.json}` }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: turn.id, content: turn.result }] },
      ];
    });
    const body = JSON.stringify({
      ...common(temperature, stream),
      max_tokens: maxTokens,
      ...system === undefined ? {} : { system: [{ type: "text", text: system }] },
      messages,
      tools: tools.map((name) => ({ name, input_schema: "SCHEMA" })),
    });
    return ["/v1/messages", body.replace(/"INPUT((?:[^"\\]|\\.)*)"/g, (_, json) => JSON.parse(`"${json}"`))];
  },
  responses: ({ system, turns, tools, maxTokens, temperature, stream }) => {
    const input = turns.flatMap((turn): object[] => {
      if (turn.by !== "call") return [{ role: turn.by === "user" ? "user" : "assistant", content: turn.text }];
      const { id: call_id, name, json, result } = turn;
      return [
        { type: "function_call", call_id, name, arguments: json },
        { type: "function_call_output", call_id, output: result },
      ];
    });
    return [
      "/v1/responses",
      JSON.stringify({
        ...common(temperature, stream),
        max_output_tokens: maxTokens,
        ...system === undefined ? {} : { instructions: system },
        input,
        tools: tools.map((name) => ({ type: "function", name, parameters: "SCHEMA" })),
      }),
    ];
  },
};

function common(temperature: number, stream: boolean): object {
  return { model: "chat-a", temperature, stream };
}

async function answerOf(h: ApiHarness, path: string, body: string, isStream: boolean): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await h.call("POST", path, { headers, body: parameters(body) });
  assert.equal(response.status, 200, path);
  if (!isStream) return textOf(await response.json());
  if (path === "/v1/chat/completions") {
    const chunks = (await framesOf(response)).slice(0, -1) as { choices: { delta: { content?: string } }[] }[];
    return chunks.map(({ choices }) => choices[0].delta.content ?? "").join("");
  }
  return (await eventsOf(response)).map(({ type, delta }) =>
    type === "response.output_text.delta" ? delta : delta?.text ?? ""
  ).join("");
}

// deno-lint-ignore no-explicit-any -- answers of three APIs
function textOf(answer: any): string {
  if (answer.choices) return answer.choices[0].message.content;
  if (answer.output) {
    return answer.output.map((item: { content?: { text: string }[] }) => item.content?.[0].text).join("");
  }
  return answer.content.map(({ text = "" }) => text).join("");
}

// @row dialects > All > the same 40 chats give the same tokens in all three
test("the same 40 chats through all three APIs are the same prompts, and give the same tokens and texts", () =>
  withTinyModel({ kind: "gqa", script: false }, async (model) => {
    const jobs: { readonly job: GenerationJob; readonly ids: number[] }[] = [];
    const watched: LanguageModel = Object.create(model, {
      generate: {
        value: (job: GenerationJob, signal: AbortSignal) => {
          const ids: number[] = [];
          jobs.push({ job, ids });
          const onToken: GenerationJob["onToken"] = (id, logprobs) => {
            ids.push(id);
            return job.onToken(id, logprobs);
          };
          return model.generate({ ...job, onToken }, signal);
        },
      },
    });
    // The model itself keeps its private members.
    for (const name of ["encode", "decode", "bytesOf"] as const) {
      Object.defineProperty(watched, name, { value: model[name].bind(model) });
    }
    const random = { id: () => "0a1b2c3d", seed: () => 7 };
    const chat = installed("chat-a", "chat.completions", chatProfile({ context: model.profile.context }));
    await withApi({ models: [chat], chats: new ChatModel(watched, random) }, async (h) => {
      const seen = new Set<string>();
      for (const [i, one] of spoken.entries()) {
        const results: unknown[] = [];
        for (const [name, translate] of Object.entries(dialects)) {
          const [path, body] = translate(one);
          const text = await answerOf(h, path, body, one.stream);
          const { job: { prompt, stablePrefix, maxTokens, sampling, seed, constraint }, ids } = jobs.at(-1)!;
          results.push({ text, ids, prompt, stablePrefix, maxTokens, sampling, seed, constraint });
          assert.deepEqual(results.at(-1), results[0], `chat ${i} as ${name}`);
        }
        seen.add(model.decode(jobs.at(-1)!.job.prompt));
      }
      assert.equal(seen.size, 40);
      assert.equal(jobs.length, 120);
      assert.ok(jobs.filter(({ ids }) => ids.length > 2).length > 60);
      const written = [...seen].filter((prompt) => prompt.includes("1.50") && prompt.includes('"maximum": 1.0'));
      assert.equal(written.length, 5, "arguments and schemas as they were written");
    });
  }, { prefixCache: false }));
