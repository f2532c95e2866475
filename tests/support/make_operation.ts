import { type Operation, operation } from "../../lib/engines/contract/operation.ts";

/** What {@linkcode make} is asked for. */
export interface MakeOrder {
  readonly parts: number;
  /** Bytes of a part. */
  readonly bytes: number;
  readonly as: "parts" | "files" | "crash";
}

/** A part of the result. */
export interface MadePart {
  readonly part: number;
  readonly data: Uint8Array;
  readonly numbers: Float32Array;
}

/** Makes bytes. */
export const make: Operation<MakeOrder, MadePart, { readonly files: readonly string[] }> = operation("make");
