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

const ASKED = { role: "user", content: "Tell me a story." };
const TURNS = Array.from({ length: 20 }, (_, i) => `call_${i}`);
const CALL = { name: "f1", arguments: '{"at":1}' };
const PARAMETERS = { type: "object", properties: { at: { type: "integer" } }, required: ["at"] };

/** The parts of a request in each API: a turn of the model with its call and its result, a function, what limits it. */
const dialects: Readonly<
  Record<typeof DIALECTS[number], {
    readonly list: "messages" | "input";
    readonly turn: (id: string) => readonly Body[];
    readonly tool: (name: string) => Body;
    readonly rest: Body;
  }>
> = {
  chats: {
    list: "messages",
    turn: (id) => [
      { role: "assistant", content: "", tool_calls: [{ id, type: "function", function: CALL }] },
      { role: "tool", tool_call_id: id, content: "ok" },
    ],
    tool: (name) => ({ type: "function", function: { name, parameters: PARAMETERS } }),
    rest: { max_tokens: 1 },
  },
  responses: {
    list: "input",
    turn: (call_id) => [
      { type: "function_call", call_id, ...CALL },
      { type: "function_call_output", call_id, output: "ok" },
    ],
    tool: (name) => ({ type: "function", name, parameters: PARAMETERS }),
    rest: { max_output_tokens: 1 },
  },
  messages: {
    list: "messages",
    turn: (id) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: CALL.name, input: { at: 1 } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
    ],
    tool: (name) => ({ name, input_schema: PARAMETERS }),
    rest: { max_tokens: 1 },
  },
};

/** One short message, or twenty turns with a call in each and eight functions. */
function requestOf(name: typeof DIALECTS[number], size: typeof SIZES[number]): Body {
  const { list, turn, tool, rest } = dialects[name];
  if (size === "short") return { [list]: [ASKED], ...rest };
  const tools = Array.from({ length: 8 }, (_, i) => tool(`f${i}`));
  return { [list]: [...TURNS.flatMap((id) => [ASKED, ...turn(id)]), ASKED], tools, ...rest };
}

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
            const body = requestOf(name, size);
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
