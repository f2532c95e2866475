/**
 * The optional body of a reset.
 *
 * @module
 */
import * as v from "valibot";
import { readRequestFields } from "./request_fields.ts";

const aPath = "expected the path of a file";
const resetFields = v.object({
  source_image: v.optional(
    v.pipe(v.string(aPath), v.check((path) => path !== "" && !path.includes("\0"), aPath)),
  ),
});

/** What a reset asks for. */
export interface ResetRequest {
  /** Path of the image that the new world starts from; undefined leaves the session without one. */
  readonly sourceImage: string | undefined;
}

/**
 * Checks the body of a reset; undefined stands for an empty one.
 *
 * @throws {WorldError} `invalid_request_error` with the field in `param`.
 */
export function readResetRequest(body: unknown): ResetRequest {
  if (body === undefined) return { sourceImage: undefined };
  return { sourceImage: readRequestFields("reset the session", body, resetFields, resetFields).source_image };
}
