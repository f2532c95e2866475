/**
 * Decoding with a draft model, beside decoding without.
 *
 * @module
 */
import type { EngineOptions } from "../../lib/engines/contract/engine_entry.ts";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import { openGgufTextModel } from "../../lib/engines/gguf_text/open_gguf_text_model.ts";
import type { LanguageModel } from "../../lib/engines/contract/language_model.ts";
import { TINY_ENGINE, tinyJob } from "../support/tiny_text_model.ts";
import { BENCH_SHAPE, GGUF_NAME, makeDraftPair } from "./api_bench_model.ts";
import { median } from "./stopwatch.ts";
import { printTable } from "./table.ts";

const ROUNDS = 5;
const ANSWER = 64;

/** Prints the table. A model whose later layers add nothing has a draft that is always right; another is always wrong. */
export async function draftBench(cache: string, threads: number): Promise<void> {
  const folders = makeDraftPair(cache);
  const options: EngineOptions = { ...TINY_ENGINE, threads };
  const open = (draft?: string): Promise<LanguageModel> =>
    openGgufTextModel(
      openModelFolder(folders.model, [GGUF_NAME]),
      options,
      draft === undefined ? undefined : openModelFolder(draft, [GGUF_NAME]),
    );
  const models: Record<string, LanguageModel> = {
    "no draft": await open(),
    "a draft of 4 layers, always right": await open(folders.right),
    "a draft of 4 layers, always wrong": await open(folders.wrong),
  };
  const rates = new Map(Object.keys(models).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round++) {
    const prompt = Array.from({ length: 64 }, (_, i) => (i * 7919 + round * 104_729) % BENCH_SHAPE.vocabulary);
    for (const [name, model] of Object.entries(models)) {
      const times: number[] = [];
      const onToken = (): boolean => times.push(performance.now()) < ANSWER;
      await model.generate(tinyJob(prompt, { maxTokens: ANSWER, onToken }), new AbortController().signal);
      if (round > 0) rates.get(name)!.push((times.length - 1) / (times[times.length - 1] - times[0]) * 1000);
    }
  }
  const accepted = (model: LanguageModel): string => {
    const { acceptedTokens = 0, draftedTokens = 0 } = model.counters().mtp ?? {};
    return draftedTokens === 0 ? "" : `${acceptedTokens} of ${draftedTokens}`;
  };
  printTable(
    [`gguf-text, Qwen2.5-0.5B sizes, threads: ${threads}`, "decode, tokens/s", "drafted tokens accepted"],
    Object.entries(models).map(([name, model]) => [name, median(rates.get(name)!).toFixed(1), accepted(model)]),
  );
  for (const model of Object.values(models)) await model.close();
}
