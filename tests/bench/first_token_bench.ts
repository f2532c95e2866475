/**
 * The time from the start of `svc chat` to its first token.
 *
 * @module
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { FIRST_TOKEN_SHAPE, makeBenchModels } from "./api_bench_model.ts";
import { median } from "./stopwatch.ts";
import { printTable } from "./table.ts";

const ROUNDS = 5;

/** Prints the table: each command starts its own server, reads the model and answers a short question. */
export async function firstTokenBench(cache: string): Promise<void> {
  const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  if (!existsSync(file("dist/cli/main.js"))) {
    throw new Error("Cannot measure svc chat: it is not built, run npm run build");
  }
  const models = makeBenchModels(cache, "first-0.6b", FIRST_TOKEN_SHAPE);
  const home = join(cache, "first-home");
  mkdirSync(home, { recursive: true });
  const settings = { env: { ...process.env, SVC_HOME: home } };
  const svc = (...args: string[]) => spawnSync("node", [file("dist/cli/main.js"), ...args], settings);
  for (const [id, folder] of Object.entries(models)) svc("model", "add", folder, "--id", id, "--link");
  const ask = (id: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const args = [file("dist/cli/main.js"), "chat", id, "--max-tokens", "8", "Hello, who are you?"];
      const child = spawn("node", args, { ...settings, stdio: ["ignore", "pipe", "inherit"] });
      let first: number | undefined;
      child.stdout.on("data", () => first ??= performance.now() - began);
      child.on("close", () => first === undefined ? reject(new Error(`svc chat ${id} said nothing`)) : resolve(first));
    });
  const times: Record<string, number[]> = { onnx: [], gguf: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const id of Object.keys(times)) {
      const time = await ask(id);
      if (round > 0) times[id].push(time); // the first round reads the files from the disk
    }
  }
  const cell = (id: string): string => `${median(times[id]).toFixed(0)} (least ${Math.min(...times[id]).toFixed(0)})`;
  printTable(["svc chat, 0.6 B parameters in 4 bits, to the first token, ms (aim 3000)", "onnx-text", "gguf-text"], [
    ["start of the process, its server and its engine, short prompt", cell("onnx"), cell("gguf")],
  ]);
}
