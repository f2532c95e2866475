/**
 * Blobs in the object store of the engine: for small worlds.
 *
 * @module
 */
import type { ObjectStore } from "@nats-io/obj";
import type { BlobStore } from "../protocol/blobs.ts";

/** Blobs of an object store. */
export function natsBlobs(store: ObjectStore): BlobStore {
  return {
    async put(sha256, bytes) {
      const known = await store.info(sha256).catch(() => null);
      if (known && !known.deleted && known.size === bytes.length) return;
      await store.putBlob({ name: sha256 }, bytes);
    },
    async get(sha256) {
      const known = await store.info(sha256);
      return known && !known.deleted ? await store.getBlob(sha256) ?? undefined : undefined;
    },
  };
}
