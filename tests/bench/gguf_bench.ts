/**
 * `gguf-text` beside node-llama-cpp's own loop with the same weights.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import type { BenchModels } from "./api_bench_model.ts";
import { inTurns, turnCells, type Turns } from "./in_turns.ts";
import { printTable } from "./table.ts";
import { openTextEngine, type TextEngine } from "./text_engine.ts";
import { randomPrompt } from "./text_engines_bench.ts";

const ROUNDS = 15;
const PROMPT = 256;
const ANSWER = 64;

/** Prints the table: both decode the same prompts in turns, and the ratio is the median of those of the rounds. */
export async function ggufBench(models: BenchModels, threads: number): Promise<void> {
  const ours = await openTextEngine("svc gguf-text", models, threads);
  const alone = await openTextEngine("node-llama-cpp", models, threads);
  const firsts = new Map<TextEngine, number[]>([[ours, []], [alone, []]]);
  const decode = async (engine: TextEngine, round: number): Promise<number> => {
    const [times] = await engine.run({ prompts: [randomPrompt(PROMPT, `${round}`)], tokens: ANSWER });
    firsts.get(engine)!.push(times[0]);
    const each = (times[times.length - 1] - times[0]) / (times.length - 1);
    console.error(`${round}/${ROUNDS} ${engine.name.padEnd(15)} ${each.toFixed(2)} ms a token`);
    return each;
  };
  const decoded = await inTurns(ROUNDS, (round) => decode(ours, round), (round) => decode(alone, round));
  const first = (engine: TextEngine) => (round: number): Promise<number> => Promise.resolve(firsts.get(engine)![round]);
  const prefilled: Turns = await inTurns(ROUNDS, first(ours), first(alone));
  await ours.stop();
  await alone.stop();
  printTable(
    [`Qwen2.5-0.5B sizes, 4 bits, threads: ${threads}; ms`, "svc gguf-text", "node-llama-cpp", "kept (aim 0.95)"],
    [
      [`a token after ${PROMPT}`, ...turnCells(decoded, 2)],
      [`to the first token of ${PROMPT} new ones`, ...turnCells(prefilled)],
    ],
  );
}
