/**
 * The optional body of a reset.
 *
 * @module
 */
import * as v from "valibot";
import { pathField } from "./move_fields.ts";
import { readRequestFields } from "./request_fields.ts";

const resetFields = v.object({ source_image: v.optional(pathField) });

/** The body of a reset, from which the API description is made. */
export const resetBodySchema: v.GenericSchema = resetFields;

/** What a reset asks for. */
export interface ResetRequest {
  /** Path of the image that the new world starts from; undefined leaves the session without one. */
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
