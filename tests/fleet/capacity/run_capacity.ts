// deno-lint-ignore-file no-console
/**
 * How many GPUs, and what else, for many worlds: `deno task simulate [WORLDS] [SECONDS] [none|burst|zone|deploy]`.
 *
 * @module
 */
import process from "node:process";
import { askFleet, type FleetQuestion } from "./fleet_model.ts";
import { quantile } from "./tally.ts";

const [worlds = 10_000, seconds = 90] = process.argv.slice(2, 4).map(Number);
const only = process.argv[4];
const rows: readonly (Pick<FleetQuestion, "event" | "slots"> & { readonly spare: number })[] = [
  { event: "none", slots: 1, spare: 0.1 },
  { event: "none", slots: 2, spare: 0.1 },
  { event: "none", slots: 3, spare: 0.1 },
  { event: "none", slots: 4, spare: 0.1 },
  { event: "burst", slots: 2, spare: 0.1 },
  { event: "zone", slots: 2, spare: 0.1 },
  { event: "zone", slots: 2, spare: 0.6 },
  { event: "deploy", slots: 2, spare: 0.1 },
];
const second = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);
const head = [
  "Case",
  "Slots",
  "GPUs",
  "Busy",
  "Wait p50",
  "p99",
  "Placed p50",
  "p99",
  "Line",
  "Refused",
  "Taken over",
  "p50",
  "p99",
  "Left",
  "Broker calls/s",
  "Told/s",
];
console.log(`| ${head.join(" | ")} |\n| ${head.map((_, i) => i === 0 ? "---" : "--:").join(" | ")} |`);
for (const { event, slots, spare } of rows.filter(({ event }) => only === undefined || event === only)) {
  const begun = Date.now();
  const workers = Math.ceil(worlds * (1 + spare) / slots);
  const tally = await askFleet({ seed: 1, worlds, workers, slots, gateways: 4, line: 1000, warm: 60, seconds, event });
  const { watched, ...calls } = tally.calls;
  const perSecond = (count: number): string => (count / tally.seconds).toFixed(0);
  const cells = [
    event,
    slots,
    workers,
    `${(100 * tally.busy).toFixed(0)} %`,
    second(quantile(tally.waits, 0.5)),
    second(quantile(tally.waits, 0.99)),
    second(quantile(tally.placements, 0.5)),
    second(quantile(tally.placements, 0.99)),
    tally.longestLine,
    tally.refusals,
    tally.takeovers.length,
    second(quantile(tally.takeovers, 0.5)),
    second(quantile(tally.takeovers, 0.99)),
    tally.left,
    perSecond(Object.values(calls).reduce((all, count) => all + count)),
    perSecond(watched),
  ];
  console.log(`| ${cells.join(" | ")} |`);
  const kinds = Object.entries(calls).map(([kind, count]) => `${kind} ${perSecond(count)}`).join(", ");
  console.error(
    `  ${tally.worlds} worlds, ${tally.waits.length} moves, ${tally.unanswered} unanswered; calls/s: ${kinds}`,
  );
  console.error(`  ${((Date.now() - begun) / 1000).toFixed(0)} s`);
}
process.exit(0);
