/**
 * What is watched while an attack runs: the health of the server, another client's requests, and memory.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { programArguments } from "../../support/program_arguments.ts";

/** Watches the health of a server until the result is called, which gives the longest answer in milliseconds. */
export function watchHealth(url: string): () => Promise<number> {
  const program = fileURLToPath(new URL("health_probe.ts", import.meta.url));
  const child = spawn(process.execPath, [...programArguments(), program, url], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (data) => text += data);
  const ended = new Promise<number>((resolve) => child.on("close", () => resolve(Number(text || NaN))));
  return () => {
    child.stdin.end();
    return ended;
  };
}

/**
 * Asks the same again and again until the result is called, which gives the longest time in milliseconds.
 *
 * @param ask Resolves with the milliseconds that count where they are not all.
 */
export function watchOthers(ask: () => Promise<number | void>): () => Promise<number> {
  let isOver = false;
  let longest = 0;
  const asking = (async () => {
    do {
      const begin = performance.now();
      longest = Math.max(longest, await ask() ?? performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (!isOver);
  })();
  asking.catch(() => {}); // until it is asked for
  return async () => {
    isOver = true;
    await asking;
    return longest;
  };
}

/** Measures a process and those it has started until the result is called, which gives the most megabytes. Linux only. */
export function watchMemory(pid: number): () => number | undefined {
  if (process.platform !== "linux") return () => undefined;
  let most = 0;
  const look = (): void => void (most = Math.max(most, treeMegabytes(pid)));
  look();
  const timer = setInterval(look, 100);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}

function treeMegabytes(root: number): number {
  const tree = new Set([root]);
  let sum = 0;
  // A process has a larger number than the one that started it, but where numbers have begun again.
  for (const pid of readdirSync("/proc").map(Number).filter((n) => n >= root).sort((a, b) => a - b)) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (pid !== root && !tree.has(Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))) continue;
      tree.add(pid);
      sum += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}
