/**
 * What a request takes in each API of chats.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import { withApiBenchServer } from "./api_bench_server.ts";
import { median } from "./stopwatch.ts";

type Body = Readonly<Record<string, unknown>>;

/** The requests, and the names of the APIs. */
export const SIZES = ["short", "long"] as const;
export const DIALECTS = ["chats", "responses", "messages"] as const;

/**
 * Milliseconds of a request for one token: of chats the median, of the others the median of what they took beyond the
 * request of chats in the same round. One request is short, one has much to translate.
 */
export type DialectFigures = Readonly<Record<typeof SIZES[number], Readonly<Record<typeof DIALECTS[number], number>>>>;

const WARM = 20;
const ROUNDS = 300;

/** One short message; twenty turns with a call in each and eight functions. */
const requests: Readonly<Record<typeof SIZES[number], Record<typeof DIALECTS[number], () => Body>>> = {
  short: {
    chats: () => ({ messages: [{ role: "user", content: ASKED }], max_tokens: 1 }),
    responses: () => ({ input: ASKED, max_output_tokens: 1 }),
    messages: () => ({ messages: [{ role: "user", content: ASKED }], max_tokens: 1 }),
  },
  long: {
    chats: () => ({
      messages: [
        ...TURNS.flatMap((id) => [
          { role: "user", content: ASKED },
          { role: "assistant", content: "", tool_calls: [{ id, type: "function", function: CALL }] },
          { role: "tool", tool_call_id: id, content: RESULT },
        ]),
        { role: "user", content: ASKED },
      ],
      tools: FUNCTIONS.map((name) => ({ type: "function", function: { name, parameters: PARAMETERS } })),
      tool_choice: "none",
      max_tokens: 1,
    }),
    responses: () => ({
      input: [
        ...TURNS.flatMap((call_id) => [
          { role: "user", content: ASKED },
          { type: "function_call", call_id, ...CALL },
          { type: "function_call_output", call_id, output: RESULT },
        ]),
        { role: "user", content: ASKED },
      ],
      tools: FUNCTIONS.map((name) => ({ type: "function", name, parameters: PARAMETERS })),
      tool_choice: "none",
      max_output_tokens: 1,
    }),
    messages: () => ({
      messages: [
        ...TURNS.flatMap((id) => [
          { role: "user", content: ASKED },
          { role: "assistant", content: [{ type: "tool_use", id, name: CALL.name, input: { at: 1 } }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: RESULT }] },
        ]),
        { role: "user", content: ASKED },
      ],
      tools: FUNCTIONS.map((name) => ({ name, input_schema: PARAMETERS })),
      tool_choice: { type: "none" },
      max_tokens: 1,
    }),
  },
};

const ASKED = "Tell me a story.";
const RESULT = "ok";
const TURNS = Array.from({ length: 20 }, (_, i) => `call_${i}`);
const FUNCTIONS = Array.from({ length: 8 }, (_, i) => `f${i}`);
const CALL = { name: "f1", arguments: '{"at":1}' };
const PARAMETERS = { type: "object", properties: { at: { type: "integer" } }, required: ["at"] };

const PATHS = { chats: "/v1/chat/completions", responses: "/v1/responses", messages: "/v1/messages" } as const;

/** Asks a server in every API, each first in every third round, so that all see the same machine. */
export async function dialectBench(command: readonly string[]): Promise<DialectFigures> {
  const folder = await mkdtemp(join(tmpdir(), "svc-bench-"));
  try {
    writeModel(folder, onnxChatModel({ kind: "gqa", weights: "q4", logitsToKeep: true }));
    return await withApiBenchServer([...command, "--threads=1"], folder, async ({ send }) => {
      const measure = async (size: typeof SIZES[number]): Promise<DialectFigures["short"]> => {
        const rounds: Record<typeof DIALECTS[number], number>[] = [];
        for (let round = 0; round < WARM + ROUNDS; round++) {
          const times = { chats: 0, responses: 0, messages: 0 };
          for (const i of DIALECTS.keys()) {
            const name = DIALECTS[(i + round) % DIALECTS.length];
            const body = requests[size][name]();
            const start = performance.now();
            await send(PATHS[name], body);
            times[name] = performance.now() - start;
          }
          if (round >= WARM) rounds.push(times);
        }
        const beyond = (name: typeof DIALECTS[number]) => median(rounds.map((times) => times[name] - times.chats));
        return {
          chats: median(rounds.map(({ chats }) => chats)),
          responses: beyond("responses"),
          messages: beyond("messages"),
        };
      };
      return { short: await measure("short"), long: await measure("long") };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
