/**
 * What the requests of both kinds of move share.
 *
 * @module
 */

/** Kinds of move that create an edge of the navigation graph. */
export type MoveKind = "transition" | "rollout";

/** The fields of both kinds of move. */
export interface MoveRequest {
  readonly seed: bigint;
  readonly sourceImage: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fps: number | undefined;
  readonly output: string | undefined;
  /** Frames that a transition asks for. */
  readonly frames?: number;
}

/** A kind of move, and its defaults. */
export interface MoveDefaults {
  readonly kind: MoveKind;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}
