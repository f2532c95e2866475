/**
 * The body that asks for a picture of a place.
 *
 * @module
 */
import * as v from "valibot";
import { seedField } from "./move_fields.ts";
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

/** The body, for the API description. */
export const pictureBodySchema: v.GenericSchema = pictureFields;

/** What a picture shall show. */
export interface PictureDescription {
  readonly prompt: string;
  readonly seed: bigint;
}

/**
 * Checks the body.
 *
 * @throws {SvcError} `invalid_request_error` with the field in `param`.
 */
export function readPictureRequest(body: unknown): PictureDescription {
  const { prompt, seed } = readRequestFields("make a picture", body, pictureFields, pictureFields);
  return { prompt, seed: BigInt(seed) };
}
