/**
 * What a kind of world model makes of the moves of a session.
 *
 * @module
 */
import type { ChunkPublisher } from "./chunk_publisher.ts";
import type { Job } from "./job.ts";
import type { MoveDefaults } from "../protocol/move_request.ts";
import type { MoveSite } from "./move_start.ts";
import type { SessionState } from "./session_state.ts";
import type { RolloutRequest } from "../protocol/rollout_request.ts";
import type { Scene } from "./scene.ts";
import type { TransitionRequest } from "../protocol/transition_fields.ts";
import type { BackendName, MoveReceipt, RolloutReceipt, TransitionReceipt, WorldSnapshot } from "../protocol/wire.ts";
import type { ChainModel } from "../../models/world/world_model.ts";

/** What a move leads to, besides its last frame. */
export type MadeScene = Pick<Scene, "depth" | "pose" | "memory">;

/** A way that has been planned. */
export interface PlannedMove {
  /** Chunks that it will have. */
  readonly chunks: number;
  /** Generates the frames, from the state in which the model is, and gives them to the publisher chunk by chunk. */
  generate(job: Job, publisher: ChunkPublisher): Promise<MadeScene>;
}

/** A planned transition. */
export interface PlannedTransition extends PlannedMove {
  /** What its receipt tells besides what all receipts do; `frames` is the length of the video. */
  receipt(frames: number): Partial<TransitionReceipt>;
  /** What the receipt of walking it back tells. */
  readonly replayReceipt: Partial<TransitionReceipt>;
}

/** A planned rollout. */
export interface PlannedRollout extends PlannedMove {
  /** What its receipt tells besides what all receipts do. */
  readonly receipt: Omit<RolloutReceipt, keyof MoveReceipt>;
}

/** One kind of world model behind a session. */
export interface Backend {
  readonly name: BackendName;
  readonly model: ChainModel;
  readonly conditioningMode: WorldSnapshot["conditioning_mode"];
  /** Whether states can be locked. */
  readonly hasCheckpoints: boolean;
  readonly transition: MoveDefaults;
  readonly rollout: MoveDefaults;
  /** Checks the body of a transition. */
  readTransition(body: unknown): TransitionRequest;
  planTransition(request: TransitionRequest, site: MoveSite): PlannedTransition;
  /** Checks the body of a rollout; throws where there are none. */
  readRollout(body: unknown): RolloutRequest;
  planRollout(request: RolloutRequest, site: MoveSite): PlannedRollout;
  /** What a snapshot tells of a place besides what all snapshots do. */
  snapshotOf(state: SessionState): Partial<WorldSnapshot>;
  /** What a receipt tells of a move between two places, generated or walked back. */
  receiptOf(from: SessionState, to: SessionState, replayed: boolean): Partial<MoveReceipt>;
}
