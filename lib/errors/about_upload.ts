import { SvcError } from "./svc_error.ts";

/**
 * What is wrong with an uploaded picture or video is wrong with its field: an error about one that names no field becomes
 * one that does. Anything else is returned as it is.
 *
 * @param place Which of several uploads it is, for the message.
 */
export function aboutUpload(error: unknown, field: string, place?: string): unknown {
  if (!(error instanceof SvcError) || error.param !== undefined || !/^(?:image|video|object)_/.test(error.code)) {
    return error;
  }
  const message = place === undefined ? error.message : `${error.message} (${place})`;
  return new SvcError(error.code, message, { param: field, cause: error.cause });
}
