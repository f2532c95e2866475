import type { WorldSession } from "../session/world_session.ts";
import { fileResponse } from "../../http/file_response.ts";
import { requestPath } from "../../http/access_policy.ts";
import { notFound } from "../../errors/svc_error.ts";

/**
 * Answers GET and HEAD with a file of the session.
 *
 * @param path Undefined when it has not made it.
 * @throws {SvcError} `media_not_found`, `media_expired`, `range_not_satisfiable`.
 */
export async function mediaResponse(
  session: WorldSession,
  request: Request,
  path: string | undefined,
  contentType: "video/mp4" | "image/png",
): Promise<Response> {
  const file = path === undefined ? undefined : await session.openFile(path);
  if (file) return fileResponse(request, file, contentType);
  const reason = path === undefined ? "it has not been made" : "its file has been removed";
  const message = `Cannot find ${requestPath(request)}: ${reason}`;
  throw notFound("media_not_found", message);
}
