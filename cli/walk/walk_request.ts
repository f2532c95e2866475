import type { WalkActions } from "../../lib/world/protocol/walk_actions.ts";
import type { RolloutRequestBody, TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";

/** A walk as requested. */
export interface WalkRequest {
  readonly walk: WalkActions;
  /** Makes each action a transition with these fields, instead of all of them one rollout. */
  readonly moves?: Pick<TransitionRequestBody, "numFrames">;
  /** Continue from the server's current state instead of the source image. */
  readonly continued: boolean;
  /** The image file to start from; by default one made from the prompt, without one the embedded world's own. */
  readonly source: string | undefined;
  /** Describes the scene; the prompt of the embedded world's image by default. */
  readonly prompt: string | undefined;
  /** Path of the MP4; the contact sheet is saved beside it, as a PNG of the same name. */
  readonly output: string;
  /** Whether existing files may be replaced. */
  readonly force: boolean;
  /** Further request fields for the server. */
  readonly rollout: Pick<RolloutRequestBody, "seed" | "speed" | "fps" | "width" | "height">;
}
