/**
 * Files that are too large for messages, and the removal of those that nothing refers to.
 *
 * @module
 */

/** Bytes by their SHA-256 in lower-case hexadecimal. */
export interface BlobStore {
  /** Writes bytes, all or none; those that are there already stay, and count as written now. */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there are none. */
  get(sha256: string): Promise<Uint8Array | undefined>;
}

/** Bytes as a store has them. */
export interface StoredBlob {
  readonly sha256: string;
  readonly size: number;
  /** When they were last written, in milliseconds since 1970. */
  readonly written: number;
  /** Another one after every `put` of the same bytes. */
  readonly version: string;
}

/** A store that says what it has, and from which blobs can be removed. */
export interface CollectableBlobs extends BlobStore {
  /** All blobs. Ends what a process began that was killed while it removed one. */
  list(): AsyncIterable<StoredBlob>;
  /** One of them. */
  find(sha256: string): Promise<StoredBlob | undefined>;
  /** Removes a blob unless it was put again since it was found; returns whether it was removed. */
  remove(blob: StoredBlob): Promise<boolean>;
}

/** Blobs that are removed at a time. */
const AT_A_TIME = 16;

/** Options of {@linkcode collectBlobs}. */
interface CollectOptions {
  readonly store: CollectableBlobs;
  /** All names of blobs that are in use, in any order; one may come more than once. Throws when it cannot tell all. */
  readonly names: () => AsyncIterable<string>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /**
   * Milliseconds that a blob stays in any case: whoever writes one names it later. Longer than that takes, with the
   * difference of two clocks.
   */
  readonly grace: number;
  /** Counts, and removes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** What a collection has found. */
export interface Collected {
  readonly blobs: number;
  readonly removed: number;
  /** Bytes of those that were removed. */
  readonly bytes: number;
}

/**
 * Removes the blobs of a store that are older than the grace and that nothing names.
 *
 * None is lost that is in use: the blobs are listed before the names are read, so that a name which is not found was
 * given later, after another `put` of its bytes; and a blob that was put again is not removed. Any number of
 * collections may run at the same time, and each may be killed at any moment.
 *
 * @throws what the store and `names` throw, before anything is removed.
 */
export async function collectBlobs({ store, names, now, grace, dryRun }: CollectOptions): Promise<Collected> {
  const old = new Map<string, StoredBlob>();
  let blobs = 0;
  for await (const blob of store.list()) {
    blobs++;
    if (blob.written <= now - grace) old.set(blob.sha256, blob);
  }
  return { blobs, ...await removeUnnamed(store, old, names(), { dryRun }) };
}

/**
 * Removes those of some blobs that nothing names, several at a time.
 *
 * @param options.dryRun Counts, and removes nothing.
 * @param options.signal Ends it after those that are being removed.
 */
export async function removeUnnamed(
  store: Pick<CollectableBlobs, "remove">,
  blobs: Map<string, StoredBlob>,
  names: AsyncIterable<string>,
  { dryRun, signal }: { readonly dryRun?: boolean | undefined; readonly signal?: AbortSignal } = {},
): Promise<Omit<Collected, "blobs">> {
  for await (const name of names) blobs.delete(name);
  let removed = 0;
  let bytes = 0;
  const left = blobs.values();
  const remove = async (): Promise<void> => {
    for (const blob of left) {
      if (signal?.aborted) return;
      if (!dryRun && !await store.remove(blob)) continue;
      removed++;
      bytes += blob.size;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, remove));
  return { removed, bytes };
}
