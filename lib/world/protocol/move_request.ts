/**
 * What the requests of both kinds of move have in common.
 *
 * @module
 */

/** Kinds of move that make an edge of the navigation graph. */
export type MoveKind = "transition" | "rollout";

/** What the requests of both kinds of move say. */
export interface MoveRequest {
  readonly seed: bigint;
  readonly sourceImage: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fps: number | undefined;
  readonly output: string | undefined;
}

/** A kind of move, and what it takes when neither the request nor the model says more. */
export interface MoveDefaults {
  readonly kind: MoveKind;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}
