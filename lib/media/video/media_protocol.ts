/**
 * What goes between {@link openMedia} and its worker.
 *
 * @module
 */
import { EncoderError } from "./h264.ts";
import { ImageError, type ImageErrorCode } from "../images/image_error.ts";
import type { Media } from "./media.ts";

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
  | { readonly id: number; readonly ok: false; readonly error: SentError };

/** An error as data: structured clones lose classes and own properties. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

/** An error as it is sent. */
export function sendError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message } = error;
  return error instanceof ImageError ? { name, message, code: error.code } : { name, message };
}

/** The error that was sent, of its own class where callers tell classes apart. */
export function receiveError({ name, message, code }: SentError): Error {
  switch (name) {
    case "ImageError":
      return new ImageError(code as ImageErrorCode, message);
    case "EncoderError":
      return new EncoderError(message);
    case "RangeError":
      return new RangeError(message);
    default:
      return new Error(message);
  }
}
