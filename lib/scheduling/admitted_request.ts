/**
 * A request that holds a slot.
 *
 * @module
 */
import { type Clock, isoTime } from "./engine.ts";

/** What is known of a request before it is queued. */
export interface RequestInfo {
  /** Id of the model, aliases resolved. */
  readonly model?: string;
  readonly streaming?: boolean;
  readonly requestedMaxTokens?: number;
  readonly toolCount?: number;
}

/** The phase of a request that holds a slot. */
export type RequestPhase = "admitted" | "loading_model" | "prefill" | "decode" | "cancelling";

/** How far an operation is. */
export interface OperationProgress {
  /** From 0 to 1. */
  readonly fraction: number;
  /** Such as `step 3 of 4`. */
  readonly stage: string;
}

/** The status of a request that holds a slot; times are ISO-8601. */
export interface ActiveRequestStatus {
  readonly id: string;
  readonly admittedAt: string;
  readonly modelID?: string;
  readonly streaming?: boolean;
  readonly requestedMaxTokens?: number;
  readonly toolCount?: number;
  readonly phase: RequestPhase;
  readonly phaseDetail?: string;
  /** How far the operation of a lane is: a fraction from 0 to 1, and the step that it is in. */
  readonly progress?: OperationProgress;
  readonly firstTokenAt?: string;
  readonly generatedTokenUpdates: number;
}

/** What a request's work can see and report. */
export interface AdmittedRequest {
  readonly id: string;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Seconds spent waiting for the model to load; 0 when it was loaded already. */
  readonly loadSeconds: number;
  /** Enters a phase; `detail` is shown beside it, such as `512 of 1500 tokens`. */
  enter(phase: RequestPhase, detail?: string): void;
  /** Says how far an operation is. */
  progress(fraction: number, stage: string): void;
  /** Counts newly generated tokens; the first call enters the phase `decode`. */
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
  #progress: OperationProgress | undefined;
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

  progress(fraction: number, stage: string): void {
    this.#progress = { fraction, stage };
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
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
      ...(this.#firstTokenAt === undefined ? {} : { firstTokenAt: isoTime(this.#firstTokenAt) }),
      generatedTokenUpdates: this.#updates,
    };
  }
}
