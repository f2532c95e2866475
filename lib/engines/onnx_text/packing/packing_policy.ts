/**
 * Which cached prefixes are packed.
 *
 * @module
 */
import type { KvCacheMode } from "../../contract/model_profile.ts";
import { affinePacking } from "./affine_packing.ts";
import type { KvPacking } from "./kv_packing.ts";
import { polarPacking } from "./polar_packing.ts";

/** The packing of a mode. */
export interface PackingPolicy {
  readonly packing: KvPacking;
  /** Shorter prefixes are not packed. */
  readonly minTokens: number;
}

/** The modes of cached prefixes. */
export const PACKED_MODES: readonly KvCacheMode[] = ["affine8", "polar2", "auto"];

/**
 * The packing of a mode: `affine8` and `polar2` for all prefixes, `auto` like `polar2` from 1024 tokens on, as in the
 * model API's settings.
 *
 * @returns Undefined for the mode without packing.
 */
export function packingPolicy(mode: KvCacheMode): PackingPolicy | undefined {
  switch (mode) {
    case "affine8":
      return { packing: affinePacking, minTokens: 0 };
    case "polar2":
      return { packing: polarPacking, minTokens: 0 };
    case "auto":
      return { packing: polarPacking, minTokens: 1024 };
    default:
      return undefined;
  }
}
