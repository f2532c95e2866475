/**
 * The models besides chat: one per lane.
 *
 * @module
 */
import type { Engine } from "./engine.ts";
import { ReadWriteLock } from "./read_write_lock.ts";
import type { IdleModel } from "./memory/eviction_order.ts";
import { Lane, type LaneModel, type LaneOptions } from "./lane.ts";
import { EXCLUSIVE_LANES, type LaneKind, LANES, type LaneStatus } from "./lane_status.ts";
import type { MemoryReservation } from "./memory/memory_reservation.ts";
import type { SvcError } from "../errors/svc_error.ts";

/** An operation of a lane. */
export interface LaneOperation {
  readonly lane: LaneKind;
  readonly model: LaneModel;
  /** Bytes that the operation takes besides its model; 0 when negligible. */
  readonly workBytes: number;
}

/** Options of a {@linkcode LanePool}. */
export interface LanePoolOptions<E extends Engine> extends Omit<LaneOptions<E>, "kind"> {
  readonly reservation: MemoryReservation;
}

/**
 * Runs lane operations. Those that load a model, and all operations of images and vision, run exclusively; others run concurrently.
 * All are admitted in order.
 */
export class LanePool<E extends Engine> {
  readonly #reservation: MemoryReservation;
  readonly #lanes: readonly Lane<E>[];
  readonly #lock = new ReadWriteLock();

  constructor({ reservation, ...options }: LanePoolOptions<E>) {
    this.#reservation = reservation;
    this.#lanes = LANES.map((kind) => new Lane<E>({ ...options, kind }));
  }

  /**
   * Runs `work` on a lane's model, which is loaded first if necessary and replaces another one.
   *
   * @throws {SvcError} `memory_pressure`, `model_unavailable`, `engine_crashed`, `server_stopping`.
   * @throws the reason of `signal` when it aborts before the work has begun.
   */
  async use<T>(
    operation: LaneOperation,
    signal: AbortSignal,
    work: (engine: E, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const lane = this.#lanes[LANES.indexOf(operation.lane)]!;
    const isCold = () => !lane.holds(operation.model.id);
    let admitted: "cold" | "warm" | undefined;
    const request = {
      signal,
      exclusive: () => EXCLUSIVE_LANES.has(lane.kind) || isCold(),
      onAdmit: () => {
        admitted = isCold() ? "cold" : "warm";
        lane.admit();
      },
    };
    lane.enqueue();
    try {
      return await this.#lock.run(request, () => this.#operate(lane, operation, admitted === "cold", signal, work));
    } finally {
      if (!admitted) lane.abandon();
    }
  }

  /** Whether a model is loaded in its lane and usable. */
  holds({ lane, model }: LaneOperation): boolean {
    return this.#lanes[LANES.indexOf(lane)]!.holds(model.id);
  }

  /** Unloads models whose idle time has passed. */
  async expire(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.expire()));
  }

  /** The models that are loaded and idle. */
  idle(): IdleModel[] {
    return this.#lanes.flatMap((lane) => lane.idle());
  }

  status(): LaneStatus[] {
    return this.#lanes.map((lane) => lane.status());
  }

  /** Stops all engines; their users get `reason`. */
  async close(reason: SvcError): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close(reason)));
  }

  /** @param load Decided at admission: an operation admitted beside others loads nothing, even after a crash. */
  async #operate<T>(
    lane: Lane<E>,
    { model, workBytes }: LaneOperation,
    load: boolean,
    signal: AbortSignal,
    work: (engine: E, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    let succeeded = false;
    try {
      const need = { model: model.id, kind: "lane" } as const;
      if (load) {
        await lane.replace();
        await this.#reservation.during(
          { ...need, bytes: model.bytes + workBytes },
          signal,
          () => lane.load(model, signal),
        );
      }
      const use = () => lane.use(signal, work);
      const result = await (workBytes === 0
        ? use()
        : this.#reservation.during({ ...need, bytes: workBytes, loaded: true }, signal, use));
      succeeded = true;
      return result;
    } finally {
      lane.end(succeeded);
    }
  }
}
