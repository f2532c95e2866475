/**
 * A difference of two manifests.
 *
 * @module
 */
import type { Bump } from "./version_bump.ts";

/** One difference. */
export interface Change {
  /** Kind of the node that has changed; absent when it is the provider. */
  readonly kind?: string;
  /**
   * What it asks for when versions follow Semantic Versioning: `major` breaks graphs or machines that work with the old
   * manifest, `minor` adds something, `patch` changes what people read.
   */
  readonly bump: Exclude<Bump, "none">;
  readonly message: string;
}

/** Tells of a difference within a node. */
export type ReportChange = (bump: Change["bump"], message: string) => void;
