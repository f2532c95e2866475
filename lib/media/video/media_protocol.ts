/**
 * What goes between {@link openMedia} and its worker.
 *
 * @module
 */
import { EncoderError } from "./h264.ts";
import type { Media } from "./media.ts";
import { type CarriedError, reviveError } from "../../errors/carried_error.ts";

/** What the worker can be asked. */
export type MediaCall = Exclude<keyof Media, "close">;

/** A question to the worker. */
export type MediaQuestion = {
  readonly [C in MediaCall]: { readonly call: C; readonly args: Parameters<Media[C]> };
}[MediaCall];

/** A question on its way, with what its answer is known by. */
export interface MediaRequest {
  readonly id: number;
  /** Name of the only encoder to use. */
  readonly encoder: string | undefined;
  readonly question: MediaQuestion;
}

/** The answer to the request with the same id. */
export type MediaReply =
  | { readonly id: number; readonly ok: true; readonly value: Awaited<ReturnType<Media[MediaCall]>> }
  | { readonly id: number; readonly ok: false; readonly error: CarriedError };

/** The error that was carried, of its own class where callers tell classes apart. */
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
