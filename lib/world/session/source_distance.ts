import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { StartCheck } from "../protocol/wire.ts";
import type { PathState } from "./graph/session_state.ts";
import type { SessionCore } from "./session_core.ts";

/** How far images are from what the model of a session was trained on, as far as it is loaded and can say. */
export class SourceDistance {
  readonly #core: SessionCore;
  #measured: { readonly stateId: string; readonly distance: number } | undefined;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** That of the source image that a path begins with; undefined while it is not known. */
  at([root]: readonly PathState[]): number | undefined {
    return root?.stateId === this.#measured?.stateId ? this.#measured?.distance : undefined;
  }

  /** Measures the image of a session that has not walked yet. */
  async measure(): Promise<void> {
    const { path: [root, next], frame } = this.#core.navigation.state;
    if (!root || next || !frame || this.at([root]) !== undefined) return;
    const distance = await this.#distanceOf(frame.image);
    if (distance !== undefined) this.#measured = { stateId: root.stateId, distance };
  }

  /** Looks at the bytes of an image file; the session stays as it is. */
  async check(bytes: Uint8Array): Promise<StartCheck> {
    const { options: { media }, model: { record: { madeFor } } } = this.#core;
    const image = await media.decodeImage(bytes);
    const distance = await this.#distanceOf(image);
    return {
      object: "world.start_check",
      width: image.width,
      height: image.height,
      ...(madeFor !== undefined && { madeFor }),
      ...(distance !== undefined && { distance }),
    };
  }

  async #distanceOf(image: RgbImage): Promise<number | undefined> {
    const { model, options: { backend } } = this.#core;
    if (!model.loaded) return undefined;
    // Nothing depends on it: a model that fails at it says so when it is asked for a move.
    return await backend.model.distance?.(image).catch(() => undefined);
  }
}
