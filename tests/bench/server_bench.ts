/**
 * The server as its user has it: a process of its own, reached over HTTP.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { benchSource, withBenchServer } from "./bench_server.ts";
import { median } from "./stopwatch.ts";

/** What was measured of one server. */
export interface ServerFigures {
  /** From the start of the process to the first answer of `/health`, milliseconds. */
  readonly toHealth: number;
  /** From the start of the process to a session that is ready, milliseconds. */
  readonly toReady: number;
  /** From a warm request for one block to its chunk in the client's hands, milliseconds. */
  readonly move: number;
  /** Frames a second of a long rollout, from the request to the last chunk in the client's hands. */
  readonly framesPerSecond: number;
  /** Longest answer of `/health` while a block was generated, milliseconds. */
  readonly health: number;
  /** Largest resident size of the process in MB; NaN where the system does not report it. */
  readonly peakMemory: number;
}

/** A rollout from the start, as its client sees it; milliseconds from its request. */
interface Walk {
  readonly firstChunk: number;
  /** Until the job is done. */
  readonly milliseconds: number;
  readonly frames: number;
}

/** Starts a server by a command line that takes the flags of `svc world serve`, measures it and stops it. */
export function serverBench(command: readonly string[]): Promise<ServerFigures> {
  return withBenchServer(command, async ({ client, child, started }) => {
    await client.health();
    const toHealth = performance.now() - started;
    await client.prepare();
    const toReady = performance.now() - started;
    await client.uploadSource(await benchSource());

    const walk = async (blocks: number): Promise<Walk> => {
      const start = performance.now();
      let firstChunk = NaN;
      const prompt = "a corridor with doors and lamps";
      const { jobId } = await client.startRollout({ prompt, actionSeq: ["w"], numOutputFrames: 3 * blocks });
      let frames = 0;
      for await (const { chunk } of client.chunks(jobId)) {
        if (frames === 0) firstChunk = performance.now() - start;
        frames += chunk.pixelFrameCount;
      }
      return { firstChunk, milliseconds: performance.now() - start, frames };
    };
    await walk(4);
    const moves: number[] = [];
    for (let i = 0; i < 9; i++) moves.push((await walk(1)).firstChunk);
    let health = 0;
    let walking = true;
    const poll = (async () => {
      while (walking) {
        const start = performance.now();
        await client.health();
        health = Math.max(health, performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const long = await walk(40);
    walking = false;
    await poll;
    const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
    const peak = /VmHWM:\s*(\d+) kB/.exec(status)?.[1];
    return {
      toHealth,
      toReady,
      move: median(moves),
      framesPerSecond: long.frames / long.milliseconds * 1000,
      health,
      peakMemory: peak === undefined ? NaN : Number(peak) / 1024,
    };
  });
}
