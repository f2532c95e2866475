/**
 * Which texts are kept in fewer bits.
 *
 * @module
 */
import type { KvCacheMode } from "../files/model_profile.ts";
import { affinePacking } from "./affine_packing.ts";
import type { KvPacking } from "./kv_packing.ts";
import { polarPacking } from "./polar_packing.ts";

/** What of a mode is in force for kept texts. */
export interface PackingPolicy {
  readonly packing: KvPacking;
  /** Shorter texts are kept as they are. */
  readonly minTokens: number;
}

/** The modes that kept texts have. */
export const PACKED_MODES: readonly KvCacheMode[] = ["affine8", "polar2", "auto"];

/**
 * The packing of a mode: `affine8` and `polar2` for all texts, `auto` like `polar2` from 1024 tokens on, as the model API's
 * settings have it.
 *
 * @returns Undefined for the mode that packs nothing.
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
