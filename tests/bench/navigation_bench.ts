/**
 * What moving about in a world costs besides generating it: walking back, locks, HTTP.
 *
 * @module
 */
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { CameraMotion, JobRecord } from "../../lib/world/protocol/job_record.ts";
import { benchSource, withBenchServer } from "./bench_server.ts";
import { median } from "./stopwatch.ts";

/** Milliseconds as a client sees them. */
export interface NavigationFigures {
  /** A transition of 17 frames that generates two blocks, from its request to its completion. */
  readonly move: number;
  /** The same walked back. */
  readonly replay: number;
  readonly lock: number;
  readonly restore: number;
  /** What a job takes beyond its own work, from its request to the event of its completion. */
  readonly overhead: number;
  /** Answer of the session that 99 of 100 requests stay below while a world is generated. */
  readonly snapshot99: number;
}

const ROUNDS = 15;

/** Measures a server that is started by a command line. */
export function navigationBench(command: readonly string[]): Promise<NavigationFigures> {
  return withBenchServer(command, async ({ client }) => {
    await client.uploadSource(await benchSource());
    await client.prepare();
    const walks = new Walks(client);
    await walks.ready;
    await walks.move("forward", 1);
    const times = { move: [], replay: [], lock: [], restore: [], overhead: [] as number[] } as Record<string, number[]>;
    const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await work();
      times[name].push(performance.now() - start);
      return result;
    };
    for (let i = 0; i < ROUNDS; i++) {
      const start = performance.now();
      const job = await timed("move", () => walks.move("forward", 1));
      times.overhead.push(performance.now() - start - (Date.parse(job.completedAt!) - Date.parse(job.startedAt!)));
      const back = await timed("replay", () => walks.move("backward", -1));
      if (!back.receipt?.replayed) throw new Error("Cannot measure the way back: the move was generated");
      const { checkpointId: id } = await timed("lock", () => client.createCheckpoint("here"));
      await timed("restore", () => client.restoreCheckpoint(id));
      await client.deleteCheckpoint(id);
    }
    const snapshot99 = await snapshotsWhileGenerating(client);
    await walks.end();
    const middle = (name: string) => median(times[name]);
    return {
      move: middle("move"),
      replay: middle("replay"),
      lock: middle("lock"),
      restore: middle("restore"),
      overhead: middle("overhead"),
      snapshot99,
    };
  });
}

/** Transitions whose end is reported at once, by the server's events. */
class Walks {
  readonly #client: WorldClient;
  readonly #abort = new AbortController();
  readonly #completed = new Map<string, PromiseWithResolvers<JobRecord>>();
  readonly #listening: Promise<void>;
  /** Resolves when the server has said its first word. */
  readonly ready: Promise<void>;

  constructor(client: WorldClient) {
    this.#client = client;
    const opened = Promise.withResolvers<void>();
    this.ready = opened.promise;
    this.#listening = this.#listen(opened.resolve);
  }

  async move(motion: CameraMotion, forward: number): Promise<JobRecord> {
    const camera = { motion, translationMeters: [0, 0, forward], rotationDegrees: [0, 0, 0] } as const;
    const started = await this.#client.startTransition({ prompt: "a corridor with doors and lamps", camera });
    const job = await this.#completion(started.jobId).promise;
    if (job.status === "completed") return job;
    throw new Error(`Cannot measure a move: it ended as ${job.status}`);
  }

  async end(): Promise<void> {
    this.#abort.abort();
    await this.#listening;
  }

  /** The news may come before the answer to the request. */
  #completion(id: string): PromiseWithResolvers<JobRecord> {
    const completion = this.#completed.get(id) ?? Promise.withResolvers<JobRecord>();
    this.#completed.set(id, completion);
    return completion;
  }

  async #listen(opened: () => void): Promise<void> {
    try {
      for await (const { event, data } of this.#client.events({ signal: this.#abort.signal })) {
        opened();
        if (event === "job" && data.completedAt) this.#completion(data.jobId).resolve(data);
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    }
  }
}

async function snapshotsWhileGenerating(client: WorldClient): Promise<number> {
  const prompt = "a corridor with doors and lamps";
  const { jobId: id } = await client.startRollout({ prompt, actionSeq: ["w"], numOutputFrames: 120 });
  const times: number[] = [];
  while ((await client.job(id)).completedAt === undefined) {
    const start = performance.now();
    await client.session();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
}
