/**
 * Asks a server for its health every 50 ms, in a process of its own so that an attack does not slow the asking down.
 * Prints the longest answer in milliseconds when its standard input ends.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import { Agent, get } from "node:http";
import process from "node:process";

const url = new URL("/health", process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longest = 0;
let isOver = false;

function ask(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    get(url, { agent, timeout: 60_000 }, (response) => response.resume().on("end", end).on("error", end)).on(
      "error",
      end,
    );
  });
}

process.stdin.resume().on("end", () => isOver = true);
while (!isOver) {
  const begin = performance.now();
  await ask();
  longest = Math.max(longest, performance.now() - begin);
  await new Promise((resolve) => setTimeout(resolve, 50));
}
console.log(longest.toFixed(0));
process.exit(0);
