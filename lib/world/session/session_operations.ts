/**
 * What changes a session, one operation at a time: moves, accepted at once and run in the background, and everything else.
 *
 * @module
 */
import { asSvcError } from "../../errors/svc_error.ts";
import type { JobRecord } from "../protocol/job_record.ts";
import type { AcceptContext, AcceptedMove, MoveOutcome } from "./moves/accept_move.ts";
import { acceptWalk } from "./moves/accept_walk.ts";
import { RunningWalk } from "./moves/running_walk.ts";
import type { RolloutRequest } from "../protocol/requests/rollout_request.ts";
import { Job, JobCancelled, type JobChange } from "./moves/job.ts";
import type { SessionChain } from "./session_chain.ts";
import type { SessionCore } from "./session_core.ts";

/** Validates a request and settles all of a move except its work. */
export type Accept = (context: AcceptContext) => Promise<AcceptedMove>;

/** A walk that was accepted. */
export interface StartedWalk {
  /** Its job. */
  readonly job: JobRecord;
  /**
   * Keeps the next block that was delivered, and gives the id of its state; what was not kept when the job ends early is
   * rolled back, and nothing can be kept from then on.
   */
  readonly keep: () => string | undefined;
}

/**
 * Lets one operation change a session at a time: a move, which runs in the background, or anything else, which its
 * caller waits for. What a move becomes is written down before it takes effect.
 */
export class SessionOperations {
  readonly #core: SessionCore;
  readonly #chain: SessionChain;
  #job: Job | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(core: SessionCore, chain: SessionChain) {
    this.#core = core;
    this.#chain = chain;
  }

  /** The job that runs. */
  get job(): Job | undefined {
    return this.#job;
  }

  /** Resolves when no job runs any more; it never rejects. */
  get ended(): Promise<void> {
    return this.#running;
  }

  /**
   * Throws what an operation that began now would throw.
   *
   * @param action Follows "Cannot" in the message.
   * @throws {SvcError} `session_busy`, `session_closed`.
   */
  check(action: string): void {
    this.#core.guard.check(action, this.#job?.id);
  }

  /**
   * Does work between two moves.
   *
   * @param action Follows "Cannot" in messages.
   */
  async run<T>(action: string, work: () => Promise<T>): Promise<T> {
    if (this.#chain.parking) await this.#chain.parking; // otherwise the next line refuses at once
    const { guard, events } = this.#core;
    guard.begin(action, this.#job?.id);
    try {
      return await work();
    } catch (error) {
      await this.#chain.leaveIfGone(error);
      throw error;
    } finally {
      guard.end();
      events.notify({ event: "snapshot" });
    }
  }

  /**
   * Accepts a move and starts its job; the session is busy until that has ended.
   *
   * @param action Follows "Cannot" in messages.
   */
  async start(action: string, accept: Accept): Promise<JobRecord> {
    if (this.#chain.parking) await this.#chain.parking; // otherwise the guard refuses at once
    const { guard, options, events, files, jobs, keeper } = this.#core;
    guard.begin(action, this.#job?.id);
    try {
      const { newId, newJobId = newId, clock } = options;
      const again = async (): Promise<AcceptedMove> => await accept(await this.#context(action));
      const move = await again();
      files.protectFromNow();
      const id = newJobId();
      const onChange = (change: JobChange) => events.notify({ ...change, jobId: id });
      const job = new Job({ id, kind: move.kind, clock, onChange });
      const accepted = job.record();
      if (keeper) await keeper.accepted(accepted, move.number, move.outputPath);
      else await options.onFiles?.(move.kind, move.number);
      jobs.add(job);
      this.#job = job;
      this.#running = this.#runMove(job, move, again);
      return accepted;
    } catch (error) {
      guard.end();
      throw error;
    }
  }

  /** Accepts a walk whose blocks are kept one by one, in a session without a keeper. */
  async startWalk(request: RolloutRequest): Promise<StartedWalk> {
    const { navigation, events } = this.#core;
    const walk = new RunningWalk({
      show: (block) => {
        navigation.show(block.state, block);
        events.notify({ event: "snapshot" });
      },
      arrive: (block) => navigation.arriveAt(block.state, block),
    });
    const job = await this.start("start a walk", (context) => acceptWalk(request, walk, context));
    return { job, keep: () => walk.keep() };
  }

  async #context(action: string): Promise<AcceptContext> {
    const { navigation, model, numbers, options } = this.#core;
    const { backend, newId, files, media, roots, onChunk: deliver } = options;
    return {
      state: navigation.state,
      roots: await roots(),
      edges: navigation.edges,
      undoesHolds: options.undoesHolds ?? false,
      backend,
      tools: { model: backend.model, media, files, deliver },
      files,
      newId,
      nextNumber: () => numbers.next(),
      readImage: (path) => this.#core.readSource(path),
      admit: (size) => model.admit(action, size),
    };
  }

  async #runMove(job: Job, accepted: AcceptedMove, again: () => Promise<AcceptedMove>): Promise<void> {
    const { jobs, keeper, model, navigation, guard, options, events } = this.#core;
    const log = options.onEvent ?? (() => {});
    const { kind } = accepted;
    try {
      job.start();
      const move = accepted.generates ? await this.#withModel(job, accepted, again) : accepted;
      model.beginWork();
      job.signal.throwIfAborted();
      const { state, receipt, retained } = await move.run(job, (outcome) => this.#settle(job, outcome));
      await navigation.arriveAt(state, retained);
      job.complete(receipt);
      keeper?.rest();
      log({ level: "info", event: `${kind}_completed`, detail: { job_id: job.id, output: receipt.outputPath } });
    } catch (error) {
      jobs.endedOtherwise(job);
      await this.#chain.leaveIfGone(error);
      if (keeper) await keeper.prune(navigation.image()).catch(() => {});
      if (error instanceof JobCancelled) {
        job.endCancelled();
        log({ level: "info", event: `${kind}_cancelled`, detail: { job_id: job.id } });
      } else {
        job.fail(asSvcError(error).toObject());
        log({ level: "error", event: `${kind}_failed`, detail: { job_id: job.id, error } });
      }
    } finally {
      this.#job = undefined;
      jobs.dropOldest(navigation.shownJobs());
      guard.end();
      model.endWork();
      events.notify({ event: "snapshot" });
      if (!job.outputPath) this.#core.noteEnd();
    }
  }

  /** Loads the model and restores its chain; the move differs where the world continues from its image. */
  async #withModel(job: Job, move: AcceptedMove, again: () => Promise<AcceptedMove>): Promise<AcceptedMove> {
    const { keeper, model, options } = this.#core;
    if (keeper && options.backend.model.isGone) await this.#chain.leave();
    await model.prepare(job, () => Promise.resolve(move.geometry));
    return await this.#chain.wake(job.signal) === "picture" ? await again() : move;
  }

  /** Writes the outcome of a move down. */
  async #settle(job: Job, { state, retained, receipt }: MoveOutcome): Promise<void> {
    const { navigation } = this.#core;
    const edges = [...navigation.edges.list(), ...retained ? [retained] : []];
    await this.#core.save(navigation.image({ state, edges }), job.completing(receipt));
  }
}
