// deno-lint-ignore-file no-console
/**
 * Runs many schedules: `deno task simulate:faults [COUNT] [FIRST SEED]`.
 *
 * @module
 */
import process from "node:process";
import { runSchedule, scheduleFrom, shrink } from "./schedule.ts";

const [count = 3000, first = 1] = process.argv.slice(2).map(Number);
let failed = 0;
for (let seed = first; seed < first + count; seed++) {
  const schedule = scheduleFrom(seed);
  const wrong = await runSchedule(schedule);
  if (wrong.length > 0) {
    failed++;
    const small = await shrink(schedule);
    console.log(JSON.stringify({ seed, wrong: wrong.slice(0, 5), schedule: small }));
  }
  if (seed % 500 === 0) console.log(`${seed - first + 1} schedules, ${failed} failed`);
}
console.log(`${count} schedules, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
