/**
 * Errors of the model store in the words of the API.
 *
 * @module
 */
import { StoreError, type StoreErrorCode } from "../store/store_error.ts";
import { ApiError, type ApiErrorType } from "./api_error.ts";

const types: Readonly<Partial<Record<StoreErrorCode, ApiErrorType>>> = {
  invalid_settings: "invalid_request_error",
  alias_taken: "conflict_error",
  model_not_found: "not_found_error",
  unsuitable_files: "invalid_request_error",
  invalid_id: "invalid_request_error",
};

/**
 * Waits for the store. What is wrong with its files is for the one who keeps it: clients hear that it is broken, the
 * log has the rest.
 *
 * @param field The field of the request that is wrong where the store names none.
 * @throws {ApiError} for every {@linkcode StoreError}.
 */
export async function ofStore<T>(answer: Promise<T>, field?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const type = types[error.code];
    if (type !== undefined) throw new ApiError(type, error.code, error.message, { param: error.param ?? field });
    const message = "Cannot read the model store: it is damaged, svc model list tells what is wrong with it";
    throw new ApiError("server_error", error.code, message, { cause: error });
  }
}
