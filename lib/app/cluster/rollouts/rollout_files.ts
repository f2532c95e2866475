/**
 * Where sources and results of batch rollouts are.
 *
 * @module
 */
import type { NatsEngine } from "../../../cluster/nats/connect_engine.ts";
import type { CollectableBlobs } from "../../../cluster/blobs/blob_store.ts";
import { join } from "../../../platform/files/paths.ts";
import { sharedBlobs } from "../shared_blobs.ts";

/** The files of rollouts, apart from those of worlds: in a folder that all share, else in the engine. */
export function rolloutFiles({ rollouts }: NatsEngine, folder: string | undefined): CollectableBlobs {
  return folder === undefined ? rollouts.files : sharedBlobs(join(folder, "rollouts"));
}
