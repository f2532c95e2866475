/**
 * Errors of the model store as clients of the API see them.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";

/**
 * Waits for the store. Invalid files of the store are a matter of whoever keeps it: clients learn that it is damaged, the
 * log has the details.
 *
 * @param field The field of the request that is invalid where the store names none.
 * @throws {SvcError} without anything about the files of the store.
 */
export async function ofStore<T>(answer: Promise<T>, field?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, type, message } = error;
    if (type === "server_error") {
      const damaged = "Cannot read the model store: it is damaged, svc model list shows what is invalid";
      throw new SvcError(code, damaged, { cause: error });
    }
    if (type !== "invalid_request_error" || error.param !== undefined) throw error;
    throw new SvcError(code, message, { type, param: field });
  }
}
