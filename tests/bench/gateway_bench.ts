/**
 * What a gateway adds to a worker's answers: both are processes of their own, beside a real NATS server.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { startNats } from "../support/nats_server.ts";
import { benchSource } from "./bench_server.ts";
import { median } from "./stopwatch.ts";

/** Milliseconds of a request to the worker, and how many more it takes through the gateway: the median of all pairs. */
export interface GatewayFigure {
  readonly direct: number;
  readonly more: number;
}

/** What is measured: a move until its chunk has been fetched, as soon as an event announces it, and a read. */
export interface GatewayFigures {
  readonly move: GatewayFigure;
  readonly read: GatewayFigure;
}

const MOVES = 101;
const READS = 1000;

/** @param program The command line's program and its first words, such as `["node", "cli/main.js"]`. */
export async function gatewayBench(program: readonly string[]): Promise<GatewayFigures> {
  const nats = await startNats();
  const children: ChildProcess[] = [];
  const start = async (...words: string[]): Promise<string> => {
    const args = [...program.slice(1), ...words, "--join", nats.url, "--port", "0", "--json"];
    const child = spawn(program[0], args, { stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    let text = "";
    for await (const part of child.stdout!) {
      text += part;
      if (text.includes("\n")) break;
    }
    return JSON.parse(text).url;
  };
  try {
    const worker = await start("world", "serve", "--slots", "1", "--device", "cpu");
    const gateway = await start("gateway", "serve");
    const opened = await fetch(`${gateway}/v1/worlds`, { method: "POST" });
    const { world_id } = await opened.json();
    const clients = [worker, gateway].map((url) => new WorldClient(`${url}/worlds/${world_id}`));
    await clients[0].uploadSource(await benchSource());
    const prompt = "a corridor with doors and lamps";
    const listening = clients.map((client) => client.events()[Symbol.asyncIterator]());
    for (const events of listening) await events.next(); // the snapshot
    // By events and not by asking for the job: the pause between two questions would hide what a gateway takes.
    const walk = async (which: number): Promise<number> => {
      const begun = performance.now();
      const { jobId } = await clients[which].startRollout({
        prompt,
        actionSeq: ["w"],
        numOutputFrames: 3,
        width: 96,
        height: 64,
      });
      let took: number | undefined;
      for (;;) {
        const { value } = await listening[which].next();
        if (value?.event === "chunk" && value.data.jobId === jobId) {
          await clients[which].media(value.data.mediaPath);
          took = performance.now() - begun;
        }
        if (value?.event === "job" && value.data.jobId === jobId && value.data.status === "completed") return took!;
      }
    };
    const read = async (which: number): Promise<number> => {
      const begun = performance.now();
      await clients[which].session();
      return performance.now() - begun;
    };
    // In turn, so that whatever else the machine does meets both.
    const inTurn = async (count: number, measure: (which: number) => Promise<number>): Promise<GatewayFigure> => {
      const times: number[][] = [];
      for (let i = -5; i < count; i++) {
        const pair = [await measure(0), await measure(1)];
        if (i >= 0) times.push(pair);
      }
      return {
        direct: median(times.map(([direct]) => direct)),
        more: median(times.map(([direct, through]) => through - direct)),
      };
    };
    return { move: await inTurn(MOVES, walk), read: await inTurn(READS, read) };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await nats.stop();
  }
}
