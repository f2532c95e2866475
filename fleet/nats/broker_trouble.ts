/**
 * Why the broker of a fleet did not do what it was asked, in words.
 *
 * @module
 */
import { isAway, isEmptied } from "./broker_away.ts";
import { hasNoRoom } from "./broker_room.ts";

/** What its operator should know; undefined for an error that is not the broker's. */
export function brokerTrouble(error: unknown): string | undefined {
  if (hasNoRoom(error)) {
    return "the NATS server has no room left: free space on its disk, or raise its max_file_store";
  }
  if (isEmptied(error)) {
    return "no stream of the fleet answers at the NATS server: where it was emptied, run svc cluster init";
  }
  return isAway(error) ? "the NATS server does not answer" : undefined;
}
