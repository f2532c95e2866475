/**
 * Text engines that are compared with each other, each in a process of its own.
 *
 * @module
 */
import { fork } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { engineEnvironment } from "../../lib/app/models/engine/spawn_engine.ts";
import type { EngineId } from "../../lib/engines/contract/engine_ids.ts";
import type { BenchModels } from "./api_bench_model.ts";

/** What can be measured. */
export type TextEngineName =
  | "svc onnx-text"
  | "svc gguf-text"
  | "transformers.js"
  | "node-llama-cpp"
  | "Ollama's defaults";

/** Prompts that are answered at the same time, with so many tokens each. */
export interface TextRun {
  readonly prompts: readonly (readonly number[])[];
  readonly tokens: number;
  /** Whether engines that can may guess tokens from the text before; a random model repeats itself more than others. */
  readonly guess?: boolean;
}

/** Medians of the milliseconds of a token of the last run, after the first. */
export interface TokenParts {
  readonly token: number;
  /** In the native library. */
  readonly evaluate: number;
  /** The same, where the library chooses the token; 0 where JavaScript does. */
  readonly choose: number;
}

/** An engine that is ready. */
export interface TextEngine {
  readonly name: TextEngineName;
  /** Milliseconds from the start of the run to each token, by prompts. */
  readonly run: (run: TextRun) => Promise<number[][]>;
  readonly parts: () => Promise<TokenParts>;
  readonly stop: () => Promise<void>;
}

/** What its process gets in svc; other programs leave it as it is. */
function environmentOf(name: TextEngineName): Readonly<Record<string, string>> {
  return name.startsWith("svc ") ? engineEnvironment(name.slice("svc ".length) as EngineId, "cpu") : {};
}

/** Starts an engine and waits until it has loaded the model. */
export async function openTextEngine(
  name: TextEngineName,
  { onnx, gguf }: BenchModels,
  threads: number,
): Promise<TextEngine> {
  const child = fork(fileURLToPath(new URL("./text_runner.ts", import.meta.url)), [name, onnx, gguf, `${threads}`], {
    execArgv: "Deno" in globalThis ? [] : ["--import", import.meta.resolve("tsx")],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    // transformers.js loads ONNX Runtime by itself, which would report its use over the network.
    env: { ...environmentOf(name), ...process.env, ORT_DISABLE_TELEMETRY: "1" },
  });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      const ended = (code: number | null): void => {
        reject(new Error(`Cannot measure ${name}: its process has ended with status ${code}`));
      };
      child.once("exit", ended);
      child.once("message", (message) => {
        child.off("exit", ended);
        resolve(message as T);
      });
    });
  await next();
  const ask = <T>(message: object): Promise<T> => {
    const answer = next<T>();
    child.send(message);
    return answer;
  };
  return {
    name,
    run: (run) => ask(run),
    parts: () => ask({ parts: true }),
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.disconnect();
      }),
  };
}
