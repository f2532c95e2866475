/**
 * Prefill and decode of text engines with the same weights, and several requests at a time.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { tensorRandom } from "../fixtures/tiny_models/transformer_weights.ts";
import { BENCH_SHAPE, type BenchModels } from "./api_bench_model.ts";
import { median } from "./stopwatch.ts";
import { openTextEngine, type TextEngine, type TextEngineName } from "./text_engine.ts";

/** What was measured of an engine. */
export interface TextEngineFigures {
  /** Tokens a second of a prompt of 512 tokens, up to its first answered token. */
  readonly prefill: number;
  /** Tokens a second after it. */
  readonly decode: number;
  /** The same with guesses from the text before; undefined for engines that do not guess. */
  readonly guessed: number | undefined;
  /** Tokens a second of one short request, its prompt included in the time. */
  readonly alone: number;
  /** Tokens a second of four such requests together; undefined for engines that answer one at a time. */
  readonly together: number | undefined;
}

const PROMPT = 512;
const ANSWER = 64;
const ROUNDS = 5;
const SHORT = { prompt: 32, answer: 96 };
const REQUESTS = 4;

/** Measures engines in turns, so that all see the same machine, and reports the medians. */
export async function textEnginesBench(
  models: BenchModels,
  names: readonly TextEngineName[],
  threads: number,
): Promise<Map<TextEngineName, TextEngineFigures>> {
  const engines: TextEngine[] = [];
  for (const name of names) engines.push(await openTextEngine(name, models, threads));
  const seen = new Map(names.map((name) => [name, [] as TextEngineFigures[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const engine of engines) {
      const figures = await measure(engine, round);
      const rate = (value: number): string => value.toFixed(1).padStart(7);
      console.error(`${round}/${ROUNDS} ${engine.name.padEnd(15)} ${rate(figures.prefill)} ${rate(figures.decode)}`);
      if (round > 0) seen.get(engine.name)!.push(figures); // the first round only warms up
    }
  }
  for (const engine of engines) await engine.stop();
  return new Map(Array.from(seen, ([name, figures]) => [name, medians(figures)]));
}

async function measure(engine: TextEngine, round: number): Promise<TextEngineFigures> {
  const long = async (seed: string, guess: boolean): Promise<readonly number[]> => {
    const [times] = await engine.run({ prompts: [randomPrompt(PROMPT, seed)], tokens: ANSWER, guess });
    return times;
  };
  const times = await long(`${round}`, false);
  const prompts = Array.from({ length: 1 + REQUESTS }, (_, i) => randomPrompt(SHORT.prompt, `${round},${i}`));
  const throughput = async (asked: typeof prompts): Promise<number> => {
    const all = await engine.run({ prompts: asked, tokens: SHORT.answer });
    return all.flat().length / Math.max(...all.flat()) * 1000;
  };
  return {
    prefill: PROMPT / times[0] * 1000,
    decode: decodeRate(times),
    guessed: engine.name === "svc onnx-text" ? decodeRate(await long(`${round} again`, true)) : undefined,
    alone: await throughput(prompts.slice(0, 1)),
    together: engine.name === "transformers.js" ? undefined : await throughput(prompts.slice(1)),
  };
}

/** Tokens a second after the first. */
export function decodeRate(times: readonly number[]): number {
  return (times.length - 1) / (times[times.length - 1] - times[0]) * 1000;
}

/** Tokens without a meaning, so that nothing of them can be known from before. */
export function randomPrompt(length: number, seed: string, vocabulary = BENCH_SHAPE.vocabulary): number[] {
  const random = tensorRandom(7, seed);
  return Array.from({ length }, () => Math.floor((random() + 1) / 2 * vocabulary));
}

function medians(figures: readonly TextEngineFigures[]): TextEngineFigures {
  const of = (key: keyof TextEngineFigures) => median(figures.map((f) => f[key] ?? NaN));
  const { guessed, together } = figures[0];
  return {
    prefill: of("prefill"),
    decode: of("decode"),
    guessed: guessed && of("guessed"),
    alone: of("alone"),
    together: together && of("together"),
  };
}
