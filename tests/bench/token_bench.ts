/**
 * Where the time of a token goes: in the native library, in choosing the token, and around both.
 *
 * @module
 */
import type { BenchModels } from "./api_bench_model.ts";
import { printTable } from "./table.ts";
import { openTextEngine, type TokenParts } from "./text_engine.ts";
import { randomPrompt } from "./text_engines_bench.ts";

const PROMPT = 256;
const ANSWER = 128;

/** Prints the table: medians of the milliseconds of each token after a prompt, greedily. */
export async function tokenBench(models: BenchModels, threads: number): Promise<void> {
  const found = new Map<string, TokenParts>();
  for (const name of ["svc gguf-text", "svc onnx-text", "node-llama-cpp"] as const) {
    const engine = await openTextEngine(name, models, threads);
    await engine.run({ prompts: [randomPrompt(PROMPT, "warm")], tokens: 16 });
    await engine.run({ prompts: [randomPrompt(PROMPT, "measured")], tokens: ANSWER });
    found.set(name, await engine.parts());
    await engine.stop();
  }
  const row = (title: string, of: (parts: TokenParts) => number): string[] => [
    title,
    ...Array.from(found.values(), (parts) => of(parts).toFixed(2)),
  ];
  printTable([`a token, Qwen2.5-0.5B sizes, threads: ${threads}; ms`, ...found.keys()], [
    row("evaluating the model", ({ evaluate }) => evaluate),
    row("choosing the token", ({ choose }) => choose),
    row("around both", ({ token, evaluate, choose }) => token - evaluate - choose),
    row("together", ({ token }) => token),
  ]);
}
