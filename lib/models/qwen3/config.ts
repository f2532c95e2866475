/**
 * What the configuration of a Qwen3 text encoder says, in the words of the code.
 *
 * @module
 */

/** Widths and depths of a Qwen3 transformer. */
export interface Qwen3Config {
  /** Rows of the token embedding. */
  readonly vocab: number;
  /** Width of the residual stream. */
  readonly hiddenSize: number;
  /** Width inside the feed-forward layers. */
  readonly intermediateSize: number;
  /** Layers in the checkpoint; a text encoder may need fewer. */
  readonly numLayers: number;
  /** Query heads. */
  readonly numHeads: number;
  /** Heads of keys and values, a divisor of the query heads. */
  readonly numKeyHeads: number;
  /** Channels of a head; heads together may be wider than the residual stream. */
  readonly headDim: number;
  /** Added to the mean square in every norm. */
  readonly normEps: number;
  /** Base of the rotary frequencies. */
  readonly ropeTheta: number;
}
