/**
 * The messages between {@link openMedia} and its worker.
 *
 * @module
 */
import { EncoderError } from "./h264.ts";
import type { Media } from "./media.ts";
import { type CarriedError, reviveError } from "../../errors/carried_error.ts";

/** The calls of the worker. */
export type MediaCall = Exclude<keyof Media, "close">;

/** A call of the worker. */
export type MediaQuestion = {
  readonly [C in MediaCall]: { readonly call: C; readonly args: Parameters<Media[C]> };
}[MediaCall];

/** A call with its id. */
export interface MediaRequest {
  readonly id: number;
  /** Name of the only encoder to use. */
  readonly encoder: string | undefined;
  readonly question: MediaQuestion;
}

/** The reply to the call with the same id. */
export type MediaReply =
  | { readonly id: number; readonly ok: true; readonly value: Awaited<ReturnType<Media[MediaCall]>> }
  | { readonly id: number; readonly ok: false; readonly error: CarriedError };

/** Restores an error, with its own class where callers distinguish classes. */
export function receiveError(error: CarriedError): Error {
  switch (error.name) {
    case "EncoderError":
      return new EncoderError(error.message);
    case "RangeError":
      return new RangeError(error.message);
    default:
      return reviveError(error);
  }
}
