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

/** Milliseconds, direct and through the gateway: of a move until its chunk is there, and of a read of the session. */
export interface GatewayFigures {
  readonly move: readonly [direct: number, through: number];
  readonly read: readonly [direct: number, through: number];
}

const MOVES = 31;
const READS = 400;

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
    const walk = async (client: WorldClient): Promise<void> => {
      const { job_id } = await client.startRollout({ prompt, action_seq: ["w"], num_output_frames: 3 });
      for await (const _ of client.chunks(job_id));
    };
    const read = async (client: WorldClient): Promise<void> => void await client.session();
    // In turn, so that whatever else the machine does meets both.
    const inTurn = async (count: number, work: (client: WorldClient) => Promise<void>): Promise<[number, number]> => {
      const times: [number[], number[]] = [[], []];
      for (let i = -3; i < count; i++) {
        for (const [which, client] of clients.entries()) {
          const begun = performance.now();
          await work(client);
          if (i >= 0) times[which].push(performance.now() - begun);
        }
      }
      return [median(times[0]), median(times[1])];
    };
    return { move: await inTurn(MOVES, walk), read: await inTurn(READS, read) };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await nats.stop();
  }
}
