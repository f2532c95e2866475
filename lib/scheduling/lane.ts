/**
 * A lane: one kind of model besides chat, with one model loaded at a time.
 *
 * @module
 */
import { type Clock, type Engine, isoTime } from "./engine.ts";
import type { IdleModel } from "./memory/eviction_order.ts";
import {
  DEFAULT_IDLE_TTL_SECONDS,
  type EvictionReason,
  isExpired,
  type LaneKind,
  type LaneStatus,
  type ReadSettings,
} from "./lane_status.ts";
import { Resident } from "./resident.ts";
import { SvcError } from "../errors/svc_error.ts";

/** Longest interval, in milliseconds, after which the settings of an idle model are read again. */
const SETTINGS_INTERVAL = 30_000;

/** A model of a lane. */
export interface LaneModel {
  readonly id: string;
  readonly path?: string;
  /** The engine or family that runs it. */
  readonly variant?: string;
  /** Bytes that it takes when loaded. */
  readonly bytes: number;
}

/** Options of a {@linkcode Lane}. */
export interface LaneOptions<E extends Engine> {
  readonly kind: LaneKind;
  readonly clock: Clock;
  readonly settings: ReadSettings;
  /** Number of requests for a model that are queued or about to use it. */
  readonly wantedBy: (model: string) => number;
  /** Starts the engine of a model; aborting the signal cancels the start, which then leaves nothing behind. */
  readonly start: (model: LaneModel, signal: AbortSignal) => Promise<E>;
}

/** Holds the model of a lane, counts its events, and unloads it after its idle time. */
export class Lane<E extends Engine> {
  readonly kind: LaneKind;
  readonly #options: LaneOptions<E>;
  #held: { readonly model: LaneModel; readonly resident: Resident<E> } | undefined;
  #cancelTimer: () => void = () => {};
  #lastAccess: number | undefined;
  #eviction: { readonly at: number; readonly reason: EvictionReason } | undefined;
  #queued = 0;
  #active = 0;
  #loads = 0;
  #replacements = 0;
  #evictions = 0;
  #completed = 0;
  #failed = 0;

  constructor(options: LaneOptions<E>) {
    this.kind = options.kind;
    this.#options = options;
  }

  /** Whether the model is loaded here and usable. */
  holds(id: string): boolean {
    return this.#held !== undefined && this.#held.resident.ready && this.#held.model.id === id;
  }

  /** A request has been queued. */
  enqueue(): void {
    this.#queued++;
  }

  /** A queued request was cancelled. */
  abandon(): void {
    this.#queued--;
  }

  /** A queued request was admitted. */
  admit(): void {
    this.#queued--;
    this.#active++;
  }

  /** An admitted request has ended. */
  end(succeeded: boolean): void {
    this.#active--;
    if (succeeded) this.#completed++;
    else this.#failed++;
    this.#lastAccess = this.#options.clock.now();
    this.#armTimer();
  }

  /** Unloads the lane's model to make room for another. */
  async replace(): Promise<void> {
    const resident = this.#held?.resident;
    if (resident?.open) this.#replacements++;
    await resident?.stop(unloaded(resident.id));
  }

  /** Loads a model into the lane, which must be empty. */
  async load(model: LaneModel, signal: AbortSignal): Promise<void> {
    this.#cancelTimer();
    const resident = new Resident<E>({
      id: model.id,
      clock: this.#options.clock,
      start: (abort) => this.#options.start(model, abort),
      onEnd: () => this.#held = undefined,
    });
    this.#held = { model, resident };
    await resident.load(signal);
    this.#loads++;
  }

  /** Runs `work` on the loaded model. */
  async use<T>(signal: AbortSignal, work: (engine: E, signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#held) return await this.#held.resident.use(signal, work);
    const message = `Cannot finish the request: the ${this.kind} engine has crashed, retry to load its model again`;
    throw new SvcError("engine_crashed", message);
  }

  /** The loaded model, if it is idle. */
  idle(): IdleModel[] {
    const resident = this.#held?.resident;
    if (!resident?.idle || this.#active > 0) return [];
    return [{
      id: resident.id,
      kind: "lane",
      queued: this.#options.wantedBy(resident.id) > 0,
      pinned: this.#options.settings(resident.id).pinned,
      startupDefault: false,
      lastAccess: resident.lastAccess,
      trim: () => resident.trim(),
      evict: () => this.#evict("memory_pressure"),
    }];
  }

  /** Unloads the model once its idle time has passed. */
  async expire(): Promise<void> {
    const [model] = this.idle();
    if (!model || model.queued || model.pinned) return;
    if (isExpired(model.lastAccess, this.#options.clock.now(), this.#ttlSeconds())) await this.#evict("ttl");
  }

  status(): LaneStatus {
    const resident = this.#held?.resident;
    const { id, path, variant } = this.#held?.model ?? {};
    const lastAccess = resident?.lastAccess ?? this.#lastAccess;
    return {
      kind: this.kind,
      ...(id === undefined ? {} : { modelID: id }),
      ...(path === undefined ? {} : { modelPath: path }),
      ...(variant === undefined ? {} : { variant }),
      loaded: resident !== undefined,
      ...(resident ? { ready: resident.ready } : {}),
      activeRequests: this.#active,
      queuedRequests: this.#queued,
      ...(resident?.loadedAt === undefined ? {} : { loadedAt: isoTime(resident.loadedAt) }),
      ...(lastAccess === undefined ? {} : { lastAccess: isoTime(lastAccess) }),
      ...(this.#eviction
        ? { lastEvictedAt: isoTime(this.#eviction.at), lastEvictionReason: this.#eviction.reason }
        : {}),
      pinned: id !== undefined && this.#options.settings(id).pinned,
      ttlSeconds: this.#ttlSeconds(),
      loadCount: this.#loads,
      replacementCount: this.#replacements,
      evictionCount: this.#evictions,
      completedRequests: this.#completed,
      failedRequests: this.#failed,
    };
  }

  /** Stops the engine; its users are rejected with `reason`. */
  async close(reason: SvcError): Promise<void> {
    this.#cancelTimer();
    await this.#held?.resident.stop(reason);
  }

  async #evict(reason: EvictionReason): Promise<void> {
    const resident = this.#held?.resident;
    if (!resident?.open) return await resident?.ended;
    this.#cancelTimer();
    this.#evictions++;
    this.#eviction = { at: this.#options.clock.now(), reason };
    await resident.stop(unloaded(resident.id));
  }

  /** Checks again when the idle time may have passed, and at intervals before, since the settings may change. */
  #armTimer(): void {
    this.#cancelTimer();
    const [model] = this.idle();
    if (!model) return;
    const { clock } = this.#options;
    const left = model.lastAccess + this.#ttlSeconds() * 1000 - clock.now();
    this.#cancelTimer = clock.after(left > 0 ? Math.min(left, SETTINGS_INTERVAL) : SETTINGS_INTERVAL, () => {
      void this.expire().then(() => this.#armTimer());
    });
  }

  #ttlSeconds(): number {
    const settings = this.#held && this.#options.settings(this.#held.model.id);
    return settings?.ttlSeconds ?? DEFAULT_IDLE_TTL_SECONDS;
  }
}

function unloaded(id: string): SvcError {
  return new SvcError("load_cancelled", `Cannot use model ${id}: it was unloaded, retry`);
}
