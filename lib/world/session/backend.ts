/**
 * How a kind of world model carries out the moves of a session.
 *
 * @module
 */
import type { ChunkPublisher } from "./moves/chunk_publisher.ts";
import type { Job } from "./moves/job.ts";
import type { MoveDefaults } from "../protocol/move_request.ts";
import type { MoveSite } from "./moves/move_start.ts";
import type { SessionState } from "./graph/session_state.ts";
import type { RolloutRequest } from "../protocol/rollout_request.ts";
import type { Scene } from "./scene/scene.ts";
import type { TransitionRequest } from "../protocol/transition_fields.ts";
import type { BackendName, MoveReceipt, RolloutReceipt, TransitionReceipt, WorldSnapshot } from "../protocol/wire.ts";
import type { ChainModel } from "../../models/world/world_model.ts";

/** The outcome of a move, except its last frame. */
export type MadeScene = Pick<Scene, "depth" | "pose" | "memory">;

/** A planned move. */
export interface PlannedMove {
  /** Number of chunks it will have. */
  readonly chunks: number;
  /** Generates the frames from the model's current state and passes them to the publisher chunk by chunk. */
  generate(job: Job, publisher: ChunkPublisher): Promise<MadeScene>;
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

/** A kind of world model behind a session. */
export interface Backend {
  readonly name: BackendName;
  readonly model: ChainModel;
  readonly conditioningMode: WorldSnapshot["conditioning_mode"];
  /** Whether the backend supports checkpoints. */
  readonly hasCheckpoints: boolean;
  readonly transition: MoveDefaults;
  readonly rollout: MoveDefaults;
  /** Validates the body of a transition. */
  readTransition(body: unknown): TransitionRequest;
  planTransition(request: TransitionRequest, site: MoveSite): PlannedTransition;
  /** Validates the body of a rollout; throws where rollouts are unsupported. */
  readRollout(body: unknown): RolloutRequest;
  planRollout(request: RolloutRequest, site: MoveSite): PlannedRollout;
  /** The fields that the backend adds to a snapshot. */
  snapshotOf(state: SessionState): Partial<WorldSnapshot>;
  /** The fields that the backend adds to a receipt, generated or replayed. */
  receiptOf(from: SessionState, to: SessionState, replayed: boolean): Partial<MoveReceipt>;
}
