/**
 * A real chat model in both forms and in other programs, counted as `llama-bench` counts.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { makeRealModels } from "./real_model.ts";
import { printTable } from "./table.ts";
import { openTextEngine, type TextEngineName } from "./text_engine.ts";
import { randomPrompt } from "./text_engines_bench.ts";

const NAMES: readonly TextEngineName[] = [
  "svc gguf-text",
  "svc onnx-text",
  "transformers.js",
  "node-llama-cpp",
  "Ollama's defaults",
];

/** As `llama-bench` by default: a prompt of 512 tokens, 128 tokens from an empty context, five times. */
const PROMPT = 512;
const ANSWER = 128;
const ROUNDS = 5;

/** Prints the table: tokens/s, the mean of the rounds and their deviation, after a round to warm up. */
export async function realChatBench(cache: string, threads: number): Promise<void> {
  const models = await makeRealModels(cache);
  const rates = new Map(NAMES.map((name) => [name, { prompt: [] as number[], answer: [] as number[] }]));
  for (const name of NAMES) {
    // One at a time in memory, since some keep threads that spin for a while.
    const engine = await openTextEngine(name, models, threads);
    for (let round = 0; round <= ROUNDS; round++) {
      const prompts = [randomPrompt(PROMPT, `${round}`, models.vocabulary)];
      const [[read]] = await engine.run({ prompts, tokens: 1 });
      const [times] = await engine.run({ prompts: [prompts[0].slice(0, 1)], tokens: ANSWER + 1 });
      if (round === 0) continue;
      const { prompt, answer } = rates.get(name)!;
      prompt.push(PROMPT / read * 1000);
      answer.push((times.length - 1) / (times[times.length - 1] - times[0]) * 1000);
      console.error(`${round}/${ROUNDS} ${name.padEnd(17)} ${prompt.at(-1)!.toFixed(0)} ${answer.at(-1)!.toFixed(1)}`);
    }
    await engine.stop();
  }
  printTable(
    [`SmolLM2 135M, threads: ${threads}; tokens/s`, ...NAMES],
    (["prompt", "answer"] as const).map((part) => [
      part === "prompt" ? `pp${PROMPT}` : `tg${ANSWER}`,
      ...NAMES.map((name) => meanAndDeviation(rates.get(name)![part])),
    ]),
  );
}

function meanAndDeviation(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return `${mean.toFixed(1)} ± ${Math.sqrt(squares / (values.length - 1)).toFixed(1)}`;
}
