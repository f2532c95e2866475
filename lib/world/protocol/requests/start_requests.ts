/**
 * What a world can start from besides an upload: a picture of a described place, and a reset to a picture or to nothing.
 *
 * @module
 */
import * as v from "valibot";
import { pathField, seedField } from "./move_fields.ts";
import { readRequestFields } from "./request_fields.ts";

/** Most characters of a description; the image model's own limit counts tokens. */
const MAX_CHARACTERS = 4096;

const expected = `expected text of 1 to ${MAX_CHARACTERS} characters`;

const pictureFields = v.object({
  prompt: v.pipe(
    v.string(expected),
    v.check((text) => text.trim() !== "" && text.length <= MAX_CHARACTERS, expected),
  ),
  seed: v.optional(seedField, 42),
});

/** The body that asks for a picture, for the API description. */
export const pictureBodySchema: v.GenericSchema = pictureFields;

/** What a picture should show. */
export interface PictureDescription {
  readonly prompt: string;
  readonly seed: bigint;
}

/**
 * Checks the body that asks for a picture.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 */
export function readPictureRequest(body: unknown): PictureDescription {
  const { prompt, seed } = readRequestFields("make a picture", body, pictureFields, pictureFields);
  return { prompt, seed: BigInt(seed) };
}

const resetFields = v.object({ source_image: v.optional(pathField) });

/** The body of a reset, for the API description. */
export const resetBodySchema: v.GenericSchema = resetFields;

/** A reset request. */
export interface ResetRequest {
  /** Path of the image that the new world starts from; undefined for an empty session. */
  readonly sourceImage: string | undefined;
}

/**
 * Checks the body of a reset; undefined stands for an empty one.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 */
export function readResetRequest(body: unknown): ResetRequest {
  if (body === undefined) return { sourceImage: undefined };
  return { sourceImage: readRequestFields("reset the session", body, resetFields, resetFields).source_image };
}
