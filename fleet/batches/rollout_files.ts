/**
 * Where sources and results of batch rollouts are.
 *
 * @module
 */
import type { NatsBroker } from "../nats/connect_broker.ts";
import type { CollectableBlobs } from "../files/blob_store.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { sharedBlobs } from "../files/shared_blobs.ts";

/** The files of rollouts, apart from those of worlds: in a folder that all share, else in the broker. */
export function rolloutFiles({ rollouts }: NatsBroker, folder: string | undefined): CollectableBlobs {
  return folder === undefined ? rollouts.files : sharedBlobs(join(folder, "rollouts"));
}
