/**
 * How a kind of world model carries out the moves of a session.
 *
 * @module
 */
import type { ChunkPublisher } from "./moves/chunk_publisher.ts";
import type { Job } from "./moves/job.ts";
import type { Matrix4 } from "../protocol/pose.ts";
import type { MoveDefaults } from "../protocol/requests/move_fields.ts";
import type { MoveSite } from "./moves/move_start.ts";
import type { SessionState } from "./graph/session_state.ts";
import type { RolloutRequest } from "../protocol/requests/rollout_request.ts";
import type { Scene } from "./scene/scene.ts";
import type { TransitionRequest } from "../protocol/requests/transition_request.ts";
import type { BackendName, WorldSnapshot } from "../protocol/wire.ts";
import type { MoveReceipt, RolloutReceipt, TransitionReceipt } from "../protocol/job_record.ts";
import type { ChainModel } from "../../models/world/world_model.ts";

/** The outcome of a move, except its last frame. */
export type MadeScene = Pick<Scene, "depth" | "pose" | "memory">;

/** A planned move. */
export interface PlannedMove {
  /** Number of chunks it will have. */
  readonly chunks: number;
  /** World-to-camera poses along the move; the last is where it ends. */
  readonly poses: readonly Matrix4[];
  /**
   * Generates the frames from the model's current state and passes them to the publisher chunk by chunk.
   *
   * @param onBlock Called after each block of an arworld, before the next begins.
   */
  generate(
    job: Job,
    publisher: ChunkPublisher,
    onBlock?: (scene: MadeScene) => Promise<void>,
  ): Promise<MadeScene>;
}

/** A planned transition. */
export interface PlannedTransition extends PlannedMove {
  /** The fields of its receipt beyond those of every move; `frames` is the length of the video. */
  receipt(frames: number): Partial<TransitionReceipt>;
  /** The fields that the receipt of its replay adds. */
  readonly replayReceipt: Partial<TransitionReceipt>;
}

/** A planned rollout. */
export interface PlannedRollout extends PlannedMove {
  /** The fields of its receipt beyond those of every move. */
  readonly receipt: Omit<RolloutReceipt, keyof MoveReceipt>;
}

/** One kind of world model of a session; made by `openWorldBackend`. */
export interface Backend {
  /** Which kind. */
  readonly name: BackendName;
  /** @internal */
  readonly model: ChainModel;
  /** @internal */
  readonly conditioningMode: WorldSnapshot["conditioningMode"];
  /** Whether the backend supports checkpoints. */
  readonly hasCheckpoints: boolean;
  /**
   * Horizontal view angle of the camera in degrees, where the kind of model fixes it.
   * @internal
   */
  readonly viewAngle?: number;
  /** @internal */
  readonly transition: MoveDefaults;
  /** @internal */
  readonly rollout: MoveDefaults;
  /**
   * Checks the body of a transition.
   * @internal
   */
  readTransition(body: unknown): TransitionRequest;
  /** @internal */
  planTransition(request: TransitionRequest, site: MoveSite): PlannedTransition;
  /**
   * Checks the body of a rollout; throws where the kind has none.
   * @internal
   */
  readRollout(body: unknown): RolloutRequest;
  /** @internal */
  planRollout(request: RolloutRequest, site: MoveSite): PlannedRollout;
  /**
   * The fields of a snapshot that only this kind has.
   * @internal
   */
  snapshotOf(state: SessionState): Partial<WorldSnapshot>;
  /**
   * The fields of a receipt that only this kind has, of a generated or a replayed move.
   * @internal
   */
  receiptOf(from: SessionState, to: SessionState, replayed: boolean): Partial<MoveReceipt>;
}
