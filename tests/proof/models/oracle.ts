/**
 * A program that runs a model independently of svc (oracles.py), in a process of its own.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Functions of oracles.py. */
export type OracleName =
  | "transformers"
  | "llama_cpp"
  | "widen"
  | "minilm"
  | "sentence_transformers"
  | "hibari"
  | "kokoro"
  | "moonshine"
  | "faster_whisper";

/** A program that is ready. */
export interface Oracle {
  /** Answers one request after the other. */
  readonly ask: <T>(request: object) => Promise<T>;
  readonly stop: () => Promise<void>;
}

/** Lines of a failed program that are shown. */
const LAST_LINES = 6;

/**
 * Starts a program and waits until it has loaded the model.
 *
 * @param python An interpreter with the packages of requirements.txt.
 * @param file A file of the model, for those that do not carry it themselves.
 * @throws {Error} with what the program says when it fails.
 */
export async function openOracle(python: string, name: OracleName, file = ""): Promise<Oracle> {
  const script = fileURLToPath(new URL("oracles.py", import.meta.url));
  const child = spawn(python, [script, name, file], { stdio: ["pipe", "pipe", "pipe"], env: process.env });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => said = (said + text).slice(-4000));
  child.stdin.on("error", () => {}); // its end is reported below
  const closed = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", (error) => {
      said += error.message;
      resolve();
    });
  });
  const lines = createInterface({ input: child.stdout });
  const next = async (): Promise<string> => {
    const line = await Promise.race([once(lines, "line").then(([line]) => line as string), closed]);
    if (line !== undefined) return line;
    throw new Error(`Cannot run ${name}: ${said.trim().split("\n").slice(-LAST_LINES).join("\n")}`);
  };
  await next();
  return {
    ask: async <T>(request: object) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return JSON.parse(await next()) as T;
    },
    stop: async () => {
      child.stdin.end();
      await closed;
    },
  };
}

/** Samples as the programs send them. */
export function samplesOf(base64: string): Float32Array {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}
