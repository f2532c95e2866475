/**
 * A world model in a worker.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import { WorkerChain } from "./worker_chain.ts";
import type { BlockProgress, BlockRequest, GenerateOptions, WorldModel } from "../../models/world/world_model.ts";

/** A {@linkcode WorldModel} in a worker. */
export class WorkerModel<Settings> extends WorkerChain<Settings> implements WorldModel {
  /** See {@linkcode WorldModel.generate}. */
  generate(request: BlockRequest, options: GenerateOptions = {}): Promise<RgbFrames> {
    return this.call<RgbFrames, BlockProgress>({ call: "generate", request }, options);
  }
}
