/**
 * What the model API server costs besides the model, and how it feels while a long prompt is read.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import type { LanguageModel } from "../../lib/engines/contract/language_model.ts";
import { openOnnxTextModel } from "../../lib/engines/onnx_text/onnx_text_model.ts";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import { ChatTemplate, readChatRequest } from "../../lib/protocol/mod.ts";
import { TINY_ENGINE, tinyJob } from "../support/tiny_text_model.ts";
import { type ApiBenchServer, type StreamedChat, withApiBenchServer } from "./api_bench_server.ts";
import { median } from "./stopwatch.ts";

/** Milliseconds that a server adds to a model that takes next to none. */
export interface OverheadFigures {
  /** A request for one token, beyond what the engine takes for it. */
  readonly request: number;
  /** A streamed token, beyond what the engine takes for it. */
  readonly token: number;
}

/** Milliseconds of a server with a model that takes its time. */
export interface PrefillFigures {
  /** From a request to its first text, for a prompt that shares 1,500 tokens with none before. */
  readonly cold: number;
  /** The same for one whose first 1,500 tokens are known. */
  readonly warm: number;
  /** The slowest hundredth of the answers of `/health` while a prompt of 3,500 tokens is read. */
  readonly health99: number;
}

const asked = { messages: [{ role: "user", content: "Tell me a story." }] };
const ROUNDS = { requests: 200, streams: 20, prompts: 5 };

/** Starts a server by a command line with a scripted model, and the same model without a server. */
export async function overheadBench(command: readonly string[]): Promise<OverheadFigures> {
  const folder = await mkdtemp(join(tmpdir(), "svc-bench-"));
  try {
    const files = onnxChatModel({ kind: "gqa", weights: "q4", logitsToKeep: true });
    writeModel(folder, files);
    const options = { ...TINY_ENGINE, threads: 1, concurrency: 1 };
    const model = await openOnnxTextModel(openModelFolder(folder, Object.keys(files)), options);
    const alone = await measureModel(model);
    await model.close();
    const served = await withApiBenchServer([...command, "--threads=1"], folder, measureServer);
    return { request: served.request - alone.request, token: served.token - alone.token };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureModel(model: LanguageModel): Promise<OverheadFigures> {
  const { text } = new ChatTemplate(model.template).render(readChatRequest({ model: "", ...asked }), new Date(0));
  const prompt = model.encode(text);
  const write = async (maxTokens: number): Promise<number[]> => {
    const times: number[] = [];
    const onToken = (): boolean => times.push(performance.now()) > 0;
    await model.generate(tinyJob(prompt, { maxTokens, onToken }), new AbortController().signal);
    return times;
  };
  return await measure((tokens) => write(tokens), async () => perToken(await write(400)));
}

function measureServer({ chat, stream }: ApiBenchServer): Promise<OverheadFigures> {
  return measure(
    (tokens) => chat({ ...asked, max_tokens: tokens }),
    async () => perToken((await stream({ ...asked, max_tokens: 400 })).times),
  );
}

async function measure(
  request: (tokens: number) => Promise<unknown>,
  token: () => Promise<number>,
): Promise<OverheadFigures> {
  const requests: number[] = [];
  for (let i = 0; i < ROUNDS.requests; i++) {
    const start = performance.now();
    await request(1);
    requests.push(performance.now() - start);
  }
  const tokens: number[] = [];
  for (let i = 0; i < ROUNDS.streams; i++) tokens.push(await token());
  return { request: median(requests), token: median(tokens) };
}

function perToken(times: readonly number[]): number {
  return (times[times.length - 1] - times[0]) / (times.length - 1);
}

/** Starts a server by a command line with a model of real size. */
export function prefillBench(command: readonly string[], model: string): Promise<PrefillFigures> {
  return withApiBenchServer(command, model, async (server) => {
    const first = async (system: string, user: string): Promise<StreamedChat & { readonly ttft: number }> => {
      const messages = [{ role: "system", content: system }, { role: "user", content: user }];
      const answer = await server.stream({ messages, max_tokens: 4 });
      if (answer.times.length === 0) throw new Error("Cannot measure the server: the answer had no text");
      return { ...answer, ttft: answer.times[0] };
    };
    const cold: number[] = [];
    const warm: number[] = [];
    for (let round = 0; round < ROUNDS.prompts; round++) {
      const system = digits(1500, round);
      cold.push((await first(system, "What is this?")).ttft);
      const again = await first(system, "And why?");
      if (again.cachedTokens < 1500) {
        throw new Error(`Cannot measure the server: ${again.cachedTokens} tokens were known, expected 1500 or more`);
      }
      warm.push(again.ttft);
    }
    return {
      cold: median(cold),
      warm: median(warm),
      health99: await healthDuring(server, first(digits(3500, 99), "?")),
    };
  });
}

/** The 99th of a hundred answers of `/health`, by their length, until the work is done. */
async function healthDuring({ url }: ApiBenchServer, work: Promise<unknown>): Promise<number> {
  let working = true;
  const done = work.finally(() => working = false);
  const times: number[] = [];
  while (working) {
    const start = performance.now();
    await (await fetch(`${url}/health`)).arrayBuffer();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await done;
  times.sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * 0.99))];
}

/** So many tokens: the tokenizers of the benchmark have one for each digit. */
function digits(count: number, seed: number): string {
  let state = seed + 1;
  return Array.from({ length: count }, () => {
    state = Math.imul(state, 48271) >>> 0;
    return (state >>> 8) % 10;
  }).join("");
}
