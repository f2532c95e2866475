/**
 * A text engine in a process of its own, which answers one message after the other: how fast tokens come.
 *
 * @module
 */
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { EngineOptions, ModelFiles } from "../../lib/engines/contract/engine_entry.ts";
import type { LanguageModel } from "../../lib/engines/contract/language_model.ts";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import { NEUTRAL_SAMPLING } from "../../lib/protocol/mod.ts";
import { TINY_ENGINE, tinyJob } from "../support/tiny_text_model.ts";
import type { BenchModels } from "./api_bench_model.ts";
import { median } from "./stopwatch.ts";
import type { TextEngineName, TextRun, TokenParts } from "./text_engine.ts";

/** Writes `tokens` tokens after a prompt, the likeliest one each, and calls `onToken` for each. */
type Write = (
  prompt: readonly number[],
  { tokens, guess }: Pick<TextRun, "tokens" | "guess">,
  onToken: () => void,
) => Promise<void>;

/** Milliseconds of the calls of the last run. */
const clocks = { evaluate: [] as number[], choose: [] as number[] };

/** Times the calls of a method. */
function timed(owner: object, method: string, clock: number[]): void {
  const call = Reflect.get(owner, method) as (...args: unknown[]) => Promise<unknown>;
  const value = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
    const began = performance.now();
    try {
      return await call.apply(this, args);
    } finally {
      clock.push(performance.now() - began);
    }
  };
  Object.defineProperty(owner, method, { value });
}

/** Times what the contexts of node-llama-cpp ask of llama.cpp. */
function timeContexts(llama: object): void {
  const { _bindings: bindings } = llama as { readonly _bindings: { AddonContext: new (...args: unknown[]) => object } };
  bindings.AddonContext = new Proxy(bindings.AddonContext, {
    construct(target, args) {
      const context = new target(...args);
      timed(context, "decodeBatch", clocks.evaluate);
      timed(context, "sampleToken", clocks.choose);
      return context;
    },
  });
}

const openers: Readonly<Record<TextEngineName, (models: BenchModels) => Promise<Write>>> = {
  "svc onnx-text": async ({ onnx }) => {
    const { openOnnxTextModel } = await import("../../lib/engines/onnx_text/onnx_text_model.ts");
    const { InferenceSession } = await import("onnxruntime-node");
    const model = await openOnnxTextModel(folderOf(onnx), options);
    timed((InferenceSession as unknown as { readonly prototype: object }).prototype, "run", clocks.evaluate);
    return writer(model);
  },
  "svc gguf-text": async ({ gguf }) => {
    const { openGgufTextModel } = await import("../../lib/engines/gguf_text/open_gguf_text_model.ts");
    const { openLlama } = await import("../../lib/engines/gguf_text/open_llama.ts");
    timeContexts((await openLlama("cpu")).llama);
    return writer(await openGgufTextModel(folderOf(gguf), options), false);
  },
  "transformers.js": async ({ onnx }) => {
    const { AutoModelForCausalLM, env, Tensor } = await import("@huggingface/transformers");
    env.allowRemoteModels = false;
    env.localModelPath = dirname(onnx);
    const model = await AutoModelForCausalLM.from_pretrained(onnx.slice(dirname(onnx).length + 1), {
      dtype: "q4",
      device: "cpu",
      session_options: { intraOpNumThreads: threads },
    });
    return async (prompt, { tokens }, onToken) => {
      const inputs = new Tensor("int64", BigInt64Array.from(prompt, BigInt), [1, prompt.length]);
      const mask = new Tensor("int64", new BigInt64Array(prompt.length).fill(1n), [1, prompt.length]);
      let isPrompt = true;
      const put = (): void => {
        if (!isPrompt) onToken();
        isPrompt = false;
      };
      const limits = { max_new_tokens: tokens, min_new_tokens: tokens, do_sample: false };
      const streamer = { put, end: () => {} };
      // deno-lint-ignore no-explicit-any -- the types of the package require its own class of streamers
      await model.generate({ inputs, attention_mask: mask, ...limits, streamer } as any);
    };
  },
  "node-llama-cpp": ({ gguf }) => ownLoop(gguf, options.context, options.concurrency, threads),
  // What Ollama starts llama.cpp with where nothing is configured: 4096 tokens, a chat at a time, all cores.
  "Ollama's defaults": ({ gguf }) => ownLoop(gguf, 4096, 1, availableParallelism()),
};

const [, , engine, onnx, gguf, threadCount] = process.argv;
const threads = Number(threadCount);
const options: EngineOptions = { ...TINY_ENGINE, threads };

function folderOf(folder: string): ModelFiles {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
  return openModelFolder(folder, names);
}

/** The loop of node-llama-cpp itself. */
async function ownLoop(gguf: string, contextSize: number, sequences: number, threads: number): Promise<Write> {
  const { getLlama, LlamaLogLevel } = await import("node-llama-cpp");
  const llama = await getLlama({ gpu: false, build: "never", logLevel: LlamaLogLevel.disabled });
  timeContexts(llama);
  const name = readdirSync(gguf).find((one) => one.endsWith(".gguf"))!;
  const model = await llama.loadModel({ modelPath: join(gguf, name) });
  const context = await model.createContext({ contextSize, sequences, threads });
  const free = Array.from({ length: sequences }, () => context.getSequence());
  return async (prompt, { tokens }, onToken) => {
    const sequence = free.pop()!;
    await sequence.clearHistory();
    const input = prompt as Parameters<typeof sequence.evaluate>[0];
    let written = 0;
    for await (const _ of sequence.evaluate(input, { temperature: 0, yieldEogToken: true })) {
      onToken();
      if (++written === tokens) break;
    }
    free.push(sequence);
  };
}

/** @param guesses Whether the engine guesses tokens unless something keeps it from that. */
function writer(model: LanguageModel, guesses = true): Write {
  return async (prompt, { tokens, guess }, onToken) => {
    let written = 0;
    const job = tinyJob(prompt, {
      maxTokens: tokens,
      // With a penalty, however small, nothing is guessed.
      ...guess || !guesses ? {} : { sampling: { ...NEUTRAL_SAMPLING, temperature: 0, presencePenalty: 1e-9 } },
      onToken: () => {
        onToken();
        return ++written < tokens;
      },
    });
    await model.generate(job, new AbortController().signal);
  };
}

const write = await openers[engine as TextEngineName]({ onnx, gguf });
let gaps: number[] = [];
process.on("message", async (message: TextRun | { readonly parts: true }) => {
  if ("parts" in message) {
    const [evaluate, choose] = [clocks.evaluate, clocks.choose].map((times) => median(times.slice(1)) ?? 0);
    return void process.send!({ token: median(gaps), evaluate, choose } satisfies TokenParts);
  }
  const { prompts, ...how } = message;
  clocks.evaluate.length = clocks.choose.length = 0;
  const start = performance.now();
  const times: number[][] = prompts.map(() => []);
  await Promise.all(prompts.map((prompt, i) => write(prompt, how, () => times[i].push(performance.now() - start))));
  gaps = times[0].slice(1).map((time, i) => time - times[0][i]);
  process.send!(times);
});
process.on("disconnect", () => process.exit(0));
process.send!("ready");
