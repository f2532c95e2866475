/**
 * Files that are too large for messages.
 *
 * @module
 */

/** Bytes by their SHA-256 in lower-case hexadecimal. */
export interface BlobStore {
  /** Writes bytes, all or none; those that are there already are left alone. */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there are none. */
  get(sha256: string): Promise<Uint8Array | undefined>;
}
