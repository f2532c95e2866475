/**
 * What a dense prediction transformer's head looks like.
 *
 * @module
 */

/** Widths of a DPT head (Ranftl et al. 2021) over four feature maps of a vision transformer. */
export interface DptConfig {
  /** Channels of the features that go in. */
  readonly input: number;
  /** Channels of each map after its projection, finest first. */
  readonly channels: readonly [number, number, number, number];
  /** Channels while maps are fused. */
  readonly features: number;
}
