/**
 * `deno run -A tests/soak/http_fuzz.ts [--count 10000] [--seed 1]`: random requests to the handler of a world server
 * with a fake model. Prints how often each status was answered; ends with status 1 when one is 500 or is not what the
 * API description says.
 *
 * @module
 */
// deno-lint-ignore-file no-console
import process from "node:process";
import { parseArgs } from "node:util";
import { printTable } from "../bench/table.ts";
import { fuzzServer } from "../support/fuzz_server.ts";

const { values } = parseArgs({
  options: { count: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const begin = performance.now();
try {
  const counts = await fuzzServer(Number(values.count), Number(values.seed));
  const rows = Object.entries(counts).map(([status, count]) => [status, String(count)]);
  printTable(["status", "answers"], rows);
  console.log(`${values.count} requests in ${((performance.now() - begin) / 1000).toFixed(1)} s, none of them 500`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
