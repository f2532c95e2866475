/**
 * Where sources and results of batch rollouts are.
 *
 * @module
 */
import type { NatsEngine } from "../nats/connect_engine.ts";
import type { CollectableBlobs } from "../files/blob_store.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { sharedBlobs } from "../files/shared_blobs.ts";

/** The files of rollouts, apart from those of worlds: in a folder that all share, else in the engine. */
export function rolloutFiles({ rollouts }: NatsEngine, folder: string | undefined): CollectableBlobs {
  return folder === undefined ? rollouts.files : sharedBlobs(join(folder, "rollouts"));
}
