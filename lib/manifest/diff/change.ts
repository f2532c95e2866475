/**
 * A difference between two manifests.
 *
 * @module
 */
import type { Bump } from "./version_bump.ts";

/** One difference. */
export interface Change {
  /** Kind of the changed node; absent when the provider has changed. */
  readonly kind?: string;
  /**
   * The version bump it requires under Semantic Versioning: `major` breaks graphs or machines that work with the old
   * manifest, `minor` adds something, `patch` changes only texts.
   */
  readonly bump: Exclude<Bump, "none">;
  /** One sentence for people. */
  readonly message: string;
}

/** Reports a difference within a node. */
export type ReportChange = (bump: Change["bump"], message: string) => void;
