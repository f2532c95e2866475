/**
 * Makes images in an engine's process.
 *
 * @module
 */
import { type DeviceChoice, isDeviceChoice, openDevice } from "../../compute/device/open_device.ts";
import { modelUnavailable } from "../../errors/svc_error.ts";
import { ImagePipeline } from "../../models/image_pipeline/image_pipeline.ts";
import type { EngineOptions, ModelFiles, OpenedEngine } from "../contract/engine_entry.ts";
import { handle } from "../contract/operation.ts";
import { modelFilesRoot } from "../files/model_files_root.ts";
import { makeImage } from "./image_operations.ts";
import { makePng } from "./make_png.ts";
import { imageFamilies, readImageProfile } from "./read_image_profile.ts";
import type { EngineId } from "../contract/engine_ids.ts";

/** Opens a pipeline; its weights are read when an image first needs them. */
export async function openImageEngine(
  engine: EngineId<"image">,
  files: ModelFiles,
  options: EngineOptions,
): Promise<OpenedEngine> {
  const profile = await readImageProfile(engine, files);
  if (!profile) {
    throw modelUnavailable("model_unavailable", `Cannot load the model: its files are not those of ${engine}`);
  }
  const opened = await imageFamilies[engine].open(modelFilesRoot(files, true));
  const device = await openDevice(deviceChoice(options), options.threads, { adapter: options.adapter });
  const pipeline = new ImagePipeline({ files: opened, device });
  options.onProgress(1);
  return {
    kind: "operations",
    model: {
      profile,
      device: device.kind,
      close: () => {
        pipeline.dispose();
        device.dispose();
        return Promise.resolve();
      },
    },
    operations: handle(makeImage, (order, call) => makePng(pipeline, profile, order, call)),
  };
}

/** Images run on graphs of our own. */
function deviceChoice({ device = "auto" }: EngineOptions): DeviceChoice {
  if (isDeviceChoice(device)) return device;
  const message = `Cannot make images on ${device}: expected cpu, webgpu, cuda, tensorrt, coreml or dml`;
  throw modelUnavailable("model_device_unavailable", message);
}
