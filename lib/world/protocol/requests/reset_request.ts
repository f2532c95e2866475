/**
 * The optional body of a reset.
 *
 * @module
 */
import * as v from "valibot";
import { pathField } from "./move_fields.ts";
import { readRequestFields } from "./request_fields.ts";

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
