/**
 * The models besides chat: one for each lane.
 *
 * @module
 */
import type { Engine } from "./engine.ts";
import { ReadWriteLock } from "./read_write_lock.ts";
import type { IdleModel } from "./eviction_order.ts";
import { Lane, type LaneModel, type LaneOptions } from "./lane.ts";
import { type LaneKind, LANES, type LaneStatus } from "./lane_status.ts";
import type { MemoryReservation } from "./memory_reservation.ts";
import type { SvcError } from "../../errors/svc_error.ts";

/** An operation of a lane. */
export interface LaneOperation {
  readonly lane: LaneKind;
  readonly model: LaneModel;
  /** What the operation takes beside its model; 0 when that is little. */
  readonly workBytes: number;
}

/** What a {@linkcode SidecarPool} is made with. */
export interface SidecarPoolOptions<E extends Engine> extends Omit<LaneOptions<E>, "kind"> {
  readonly reservation: MemoryReservation;
}

/**
 * Runs operations of the lanes. Those that have to load a model, and all on images, run alone; others run side by side,
 * and nobody overtakes.
 */
export class SidecarPool<E extends Engine> {
  readonly #reservation: MemoryReservation;
  readonly #lanes: readonly Lane<E>[];
  readonly #lock = new ReadWriteLock();

  constructor({ reservation, ...options }: SidecarPoolOptions<E>) {
    this.#reservation = reservation;
    this.#lanes = LANES.map((kind) => new Lane<E>({ ...options, kind }));
  }

  /**
   * Works with the model of a lane, which replaces another one there and is loaded first when it is not.
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
      exclusive: () => lane.kind === "image" || isCold(),
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

  /** Unloads what has been idle for its time. */
  async expire(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.expire()));
  }

  /** The loaded models that nobody uses now. */
  idle(): IdleModel[] {
    return this.#lanes.flatMap((lane) => lane.idle());
  }

  status(): LaneStatus[] {
    return this.#lanes.map((lane) => lane.status());
  }

  /** Ends all engines; whoever uses one gets `reason`. */
  async close(reason: SvcError): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close(reason)));
  }

  /** @param load Decided at admission: an operation that came in beside others loads nothing, even after a crash. */
  async #operate<T>(
    lane: Lane<E>,
    { model, workBytes }: LaneOperation,
    load: boolean,
    signal: AbortSignal,
    work: (engine: E, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    let succeeded = false;
    try {
      const need = { model: model.id, kind: "sidecar" } as const;
      if (load) {
        await lane.replace();
        await this.#reservation.during(
          { ...need, bytes: model.bytes + workBytes },
          signal,
          () => lane.load(model, signal),
        );
      }
      const use = () => lane.use(signal, work);
      const result =
        await (workBytes === 0 ? use() : this.#reservation.during({ ...need, bytes: workBytes }, signal, use));
      succeeded = true;
      return result;
    } finally {
      lane.end(succeeded);
    }
  }
}
