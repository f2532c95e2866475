/**
 * Files that are too large for messages.
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
  /** Removes a blob that nobody has put again since it was found; returns whether it has. */
  remove(blob: StoredBlob): Promise<boolean>;
}
