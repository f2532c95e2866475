import type { RouteCall } from "../../http/router.ts";
import { invalidRequest } from "../../errors/svc_error.ts";

/**
 * The `:id` of a path.
 *
 * @param thing What it is the id of.
 * @throws {SvcError} `invalid_job_id`, `invalid_checkpoint_id` or `invalid_world_id` if it is not a UUID.
 */
export function pathId(call: RouteCall, thing: "job" | "checkpoint" | "world"): string {
  const id = call.part("id");
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  throw invalidRequest(`invalid_${thing}_id`, `Cannot find ${thing} ${JSON.stringify(id)}: expected a UUID`);
}
