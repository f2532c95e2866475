/**
 * Opens each vision model with what it can do.
 *
 * @module
 */
import { openDevice } from "../../compute/device/open_device.ts";
import type { Device } from "../../compute/tensor/mod.ts";
import type { ModelRoot } from "../../models/checkpoint/model_root.ts";
import type { LoadOptions } from "../../models/checkpoint/read_weights.ts";
import { depthAnything3Family } from "../../models/depth_anything3/config.ts";
import { openDepthAnything3 } from "../../models/depth_anything3/open_depth_anything3.ts";
import { instantMeshFamily } from "../../models/instantmesh/config.ts";
import { openInstantMesh } from "../../models/instantmesh/open_instantmesh.ts";
import { moge2Family } from "../../models/moge2/config.ts";
import { openMoge2 } from "../../models/moge2/open_moge2.ts";
import { tripoSrFamily } from "../../models/triposr/config.ts";
import { openTripoSr } from "../../models/triposr/open_triposr.ts";
import { videoDepthFamily } from "../../models/video_depth_anything/config.ts";
import { openVideoDepth } from "../../models/video_depth_anything/open_video_depth.ts";
import { inspectNetwork, type NetworkFamily } from "../../models/vision/load_network.ts";
import { handle, type OperationHandlers } from "../contract/operation.ts";
import type { NetworkSizes, VisionModelProfile } from "../contract/model_profile.ts";
import type { EngineOptions, ModelFiles, OpenedEngine } from "../contract/engine_entry.ts";
import { modelFilesRoot } from "../files/model_files_root.ts";
import { openMoge2Onnx } from "./open_moge2_onnx.ts";
import { type LoadTime, loadTime } from "./operation_run.ts";
import { readOnnxMoge2Profile } from "./read_vision_profile.ts";
import { runDepthVideo } from "./run_depth_video.ts";
import { runGeometry } from "./run_geometry.ts";
import { runMultiView } from "./run_multi_view.ts";
import { runObject, runObjectViews } from "./run_object.ts";
import { findGeometry, findVideoDepth, makeObject, reconstructObject, relateViews } from "./vision_operations.ts";

/** Opens MoGe-2 from its tensors. */
export async function openGraphMoge2(files: ModelFiles, options: EngineOptions): Promise<OpenedEngine> {
  const network = await sizesOf(files, moge2Family);
  return await openVision(
    { kind: "geometry", engine: "graph-moge2", network },
    files,
    options,
    async (root, device, o) => {
      const find = await openMoge2(root, device, o);
      return (time) => handle(findGeometry, (order, call) => runGeometry(find, time, order, call));
    },
  );
}

/** Opens the published ONNX export of MoGe-2. */
export async function openOnnxMoge2(files: ModelFiles, options: EngineOptions): Promise<OpenedEngine> {
  const begin = performance.now();
  const profile = await readOnnxMoge2Profile(files);
  const file = profile && files.names.find((name) => name.endsWith(".onnx"));
  const source = file && await modelFilesRoot(files, true).open(file);
  if (!profile || !file || !source) throw new Error("Cannot open MoGe-2: the files of the model have changed");
  const find = await openMoge2Onnx(file, source, options.threads);
  const time = loadTime((performance.now() - begin) / 1000);
  return {
    kind: "operations",
    model: { profile, device: "cpu", close: () => Promise.resolve() },
    operations: handle(findGeometry, (order, call) => runGeometry(find, time, order, call)),
  };
}

/** Opens Depth Anything 3. */
export async function openGraphDa3(files: ModelFiles, options: EngineOptions): Promise<OpenedEngine> {
  const network = await sizesOf(files, depthAnything3Family);
  return await openVision(
    { kind: "geometry", engine: "graph-da3", network },
    files,
    options,
    async (root, device, o) => {
      const relate = await openDepthAnything3(root, device, o);
      return (time) => handle(relateViews, (order, call) => runMultiView(relate, time, order, call));
    },
  );
}

/** Opens Video Depth Anything, whose two sets of weights differ in what their numbers mean only. */
export async function openGraphVda(files: ModelFiles, options: EngineOptions): Promise<OpenedEngine> {
  const network = await sizesOf(files, videoDepthFamily);
  return await openVision(
    { kind: "depth-video", engine: "graph-vda", network },
    files,
    options,
    async (root, device, o) => {
      const find = await openVideoDepth(root, device, o);
      return (time) => handle(findVideoDepth, (order, call) => runDepthVideo(find, time, order, call));
    },
  );
}

/** Opens TripoSR. */
export async function openGraphTripoSr(files: ModelFiles, options: EngineOptions): Promise<OpenedEngine> {
  const network = await sizesOf(files, tripoSrFamily);
  const size = { side: network.imageSize };
  return await openVision(
    { kind: "object", engine: "graph-triposr", network },
    files,
    options,
    async (root, device, o) => {
      const make = await openTripoSr(root, device, o);
      return (time) => handle(makeObject, (order, call) => runObject(make, size, time, order, call));
    },
  );
}

/** Opens InstantMesh. */
export async function openGraphInstantMesh(files: ModelFiles, options: EngineOptions): Promise<OpenedEngine> {
  const network = await sizesOf(files, instantMeshFamily);
  const size = { side: network.imageSize };
  return await openVision(
    { kind: "object", engine: "graph-instantmesh", network },
    files,
    options,
    async (root, device, o) => {
      const reconstruct = await openInstantMesh(root, device, o);
      return (time) => handle(reconstructObject, (order, call) => runObjectViews(reconstruct, size, time, order, call));
    },
  );
}

async function sizesOf<C>(files: ModelFiles, family: NetworkFamily<C>): Promise<C & NetworkSizes> {
  return (await inspectNetwork(modelFilesRoot(files, false), family)).config as C & NetworkSizes;
}

/** Loads the weights onto a device and makes the operations. */
type LoadVision = (
  root: ModelRoot,
  device: Device,
  options: LoadOptions,
) => Promise<(load: LoadTime) => OperationHandlers>;

/** Opens a network of our own: on the GPU where there is one and the CPU was not asked for. */
async function openVision(
  profile: VisionModelProfile,
  files: ModelFiles,
  options: EngineOptions,
  load: LoadVision,
): Promise<OpenedEngine> {
  const begin = performance.now();
  const choice = options.device === "cpu" || options.device === "webgpu" ? options.device : "auto";
  const device = await openDevice(choice, options.threads, { adapter: options.adapter });
  try {
    const operations = await load(modelFilesRoot(files, true), device, { onProgress: options.onProgress });
    const close = () => {
      device.dispose();
      return Promise.resolve();
    };
    const model = { profile, device: device.kind, close };
    return { kind: "operations", model, operations: operations(loadTime((performance.now() - begin) / 1000)) };
  } catch (error) {
    device.dispose();
    throw error;
  }
}
