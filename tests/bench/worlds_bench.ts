/**
 * Several worlds in one server, and what keeping them costs.
 *
 * @module
 */
import type { WorldRecord } from "../../lib/world/protocol/world_record.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { benchSource, withBenchServer } from "./bench_server.ts";
import { median } from "./stopwatch.ts";
import type { Wire } from "../../lib/json/wire_form.ts";

/** What was measured of one server. */
export interface WorldsFigures {
  /** Blocks a second of one world that makes eight moves, with a journal. */
  readonly one: number;
  /** The same of eight worlds that make one of these moves each, at once, taken together. */
  readonly eight: number;
  /** What the journal adds to a move of one block, in milliseconds. */
  readonly journal: number;
}

const WORLDS = 8;
const ROUNDS = 5;
/** Blocks of a move. */
const BLOCKS = 4;
const MOVES = 40;

/** Measures a server that is started by a command line. */
export function worldsBench(command: readonly string[]): Promise<WorldsFigures> {
  return withBenchServer(command, async ({ client, url }) => {
    const source = await benchSource();
    const clients = [client];
    while (clients.length < WORLDS) {
      const opened: Wire<WorldRecord> = await (await fetch(`${url}/v1/worlds`, { method: "POST" })).json();
      clients.push(new WorldClient(url + opened.path.replace(/\/$/, "")));
    }
    for (const each of clients) {
      await each.uploadSource(source);
      await walk(each, 4);
    }
    const rates = { one: [] as number[], eight: [] as number[] };
    for (let i = 0; i < ROUNDS; i++) {
      rates.one.push(
        await rate(async () => {
          for (const _each of clients) await walk(client, BLOCKS);
        }),
      );
      rates.eight.push(await rate(() => Promise.all(clients.map((each) => walk(each, BLOCKS)))));
    }
    const journal = await withBenchServer([...command, "--journal", "off"], async ({ client: plain }) => {
      await plain.uploadSource(source);
      await walk(plain, 4);
      const times: number[][] = [[], []];
      for (let i = 0; i < MOVES; i++) {
        for (const [which, each] of [client, plain].entries()) {
          const start = performance.now();
          await walk(each, 1);
          times[which].push(performance.now() - start);
        }
      }
      return median(times[0].map((time, i) => time - times[1][i]));
    });
    return { one: median(rates.one), eight: median(rates.eight), journal };
  });
}

async function walk(client: WorldClient, blocks: number): Promise<void> {
  const prompt = "a corridor with doors and lamps";
  const { jobId: id } = await client.startRollout({ prompt, actionSeq: ["w"], numOutputFrames: 3 * blocks });
  for await (const { event, data } of client.events()) {
    const job = event === "job" ? data : event === "snapshot" ? await client.job(id) : undefined;
    if (job?.jobId !== id || !job.completedAt) continue;
    if (job.status === "completed") return;
    throw new Error(`Cannot measure a walk: it ended as ${job.status}`);
  }
}

async function rate(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return WORLDS * BLOCKS / (performance.now() - start) * 1000;
}
