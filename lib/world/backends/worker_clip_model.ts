/**
 * A clip model in a worker.
 *
 * @module
 */
import { joinFrames, type RgbFrames } from "../../media/images/rgb_image.ts";
import { WorkerChain } from "./worker_chain.ts";
import type { ClipModel, ClipOptions, ClipProgress, ClipRequest } from "../../models/world/clip_model.ts";

/** A {@linkcode ClipModel} in a worker. */
export class WorkerClipModel<Settings> extends WorkerChain<Settings> implements ClipModel {
  /** See {@linkcode ClipModel.generate}. */
  async generate(request: ClipRequest, options: ClipOptions = {}): Promise<RgbFrames> {
    const parts: RgbFrames[] = [];
    const onFrames = (frames: RgbFrames) => {
      parts.push(frames);
      options.onFrames?.(frames);
    };
    await this.call<undefined, ClipProgress>({ call: "generate", request }, { ...options, onFrames });
    return joinFrames(parts);
  }
}
