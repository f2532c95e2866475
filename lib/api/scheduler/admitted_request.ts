/**
 * A request that has a slot.
 *
 * @module
 */
import { type Clock, isoTime } from "./clock.ts";

/** What a request tells of itself before it waits. */
export interface RequestInfo {
  /** Id of the model, aliases resolved. */
  readonly model?: string;
  readonly streaming?: boolean;
  readonly requestedMaxTokens?: number;
  readonly toolCount?: number;
}

/** What a request with a slot is doing. */
export type RequestPhase = "admitted" | "loading_model" | "prefill" | "decode" | "cancelling";

/** A request with a slot as a status value; times are ISO-8601. */
export interface ActiveRequestStatus {
  readonly id: string;
  readonly admittedAt: string;
  readonly modelID?: string;
  readonly streaming?: boolean;
  readonly requestedMaxTokens?: number;
  readonly toolCount?: number;
  readonly phase: RequestPhase;
  readonly phaseDetail?: string;
  readonly firstTokenAt?: string;
  readonly generatedTokenUpdates: number;
}

/** What the work of a request sees of its admission. */
export interface AdmittedRequest {
  readonly id: string;
  /** Aborts when the client has gone or the server stops. */
  readonly signal: AbortSignal;
  /** Seconds that it has waited for its model to load; 0 when that was loaded. */
  readonly loadSeconds: number;
  /** Tells what comes now; `detail` is shown beside it, such as `512 of 1500 tokens`. */
  enter(phase: RequestPhase, detail?: string): void;
  /** Counts an update with generated tokens; the first one begins the phase `decode`. */
  generated(): void;
}

/** Keeps the record of one request. */
export class RequestRecord implements AdmittedRequest {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly #info: RequestInfo;
  readonly #clock: Clock;
  readonly #admittedAt: number;
  #phase: RequestPhase = "admitted";
  #detail: string | undefined;
  #firstTokenAt: number | undefined;
  #updates = 0;
  #loadingSince: number | undefined;
  #loadMilliseconds = 0;

  constructor(id: string, info: RequestInfo, signal: AbortSignal, clock: Clock) {
    this.id = id;
    this.signal = signal;
    this.#info = info;
    this.#clock = clock;
    this.#admittedAt = clock.now();
  }

  get model(): string | undefined {
    return this.#info.model;
  }

  get loadSeconds(): number {
    return this.#loadMilliseconds / 1000;
  }

  enter(phase: RequestPhase, detail?: string): void {
    const now = this.#clock.now();
    if (phase === "loading_model") this.#loadingSince ??= now;
    else if (this.#loadingSince !== undefined) {
      this.#loadMilliseconds += now - this.#loadingSince;
      this.#loadingSince = undefined;
    }
    this.#phase = phase;
    this.#detail = detail;
  }

  generated(): void {
    this.#updates++;
    if (this.#firstTokenAt !== undefined) return;
    this.#firstTokenAt = this.#clock.now();
    this.enter("decode");
  }

  status(): ActiveRequestStatus {
    const { model, ...info } = this.#info;
    return {
      id: this.id,
      admittedAt: isoTime(this.#admittedAt),
      ...(model === undefined ? {} : { modelID: model }),
      ...info,
      phase: this.signal.aborted ? "cancelling" : this.#phase,
      ...(this.#detail === undefined ? {} : { phaseDetail: this.#detail }),
      ...(this.#firstTokenAt === undefined ? {} : { firstTokenAt: isoTime(this.#firstTokenAt) }),
      generatedTokenUpdates: this.#updates,
    };
  }
}
