/**
 * The engines of vision models. Networks of our own are recognised by a tensor that no other family has.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";
import type { VisionOrder } from "./vision_operations.ts";

/** MoGe-2: geometry of one image. */
export const graphMoge2Engine: EngineEntry = {
  kind: "geometry",
  readProfile: async (files) => {
    const { moge2Family } = await import("../../models/moge2/config.ts");
    const { readNetworkSizes } = await import("./read_vision_profile.ts");
    const network = await readNetworkSizes(files, moge2Family, "neck.input_blocks.0.weight");
    return network && { kind: "geometry", engine: "graph-moge2", network };
  },
  open: async (files, options) => await (await import("./open_engines.ts")).openGraphMoge2(files, options),
  memory: { "find-geometry": visionMemory },
};

/** MoGe-2 as it is published for ONNX Runtime. */
export const onnxMoge2Engine: EngineEntry = {
  kind: "geometry",
  readProfile: async (files) => await (await import("./read_vision_profile.ts")).readOnnxMoge2Profile(files),
  open: async (files, options) => await (await import("./open_engines.ts")).openOnnxMoge2(files, options),
  memory: { "find-geometry": visionMemory },
};

/** Depth Anything 3: geometry of several views. */
export const graphDa3Engine: EngineEntry = {
  kind: "geometry",
  readProfile: async (files) => {
    const { depthAnything3Family } = await import("../../models/depth_anything3/config.ts");
    const { readNetworkSizes } = await import("./read_vision_profile.ts");
    const network = await readNetworkSizes(files, depthAnything3Family, "model.backbone.pretrained.pos_embed");
    return network && { kind: "geometry", engine: "graph-da3", network };
  },
  open: async (files, options) => await (await import("./open_engines.ts")).openGraphDa3(files, options),
  memory: { "relate-views": visionMemory },
};

/** A tensor of its first temporal module. */
const MOTION_MARK = "head.motion_modules.0.temporal_transformer.norm.weight";

/** Video Depth Anything: depth of a video. */
export const graphVdaEngine: EngineEntry = {
  kind: "depth-video",
  readProfile: async (files) => {
    const { videoDepthFamily } = await import("../../models/video_depth_anything/config.ts");
    const { readNetworkSizes } = await import("./read_vision_profile.ts");
    const network = await readNetworkSizes(files, videoDepthFamily, MOTION_MARK);
    return network && { kind: "depth-video", engine: "graph-vda", network };
  },
  open: async (files, options) => await (await import("./open_engines.ts")).openGraphVda(files, options),
  memory: { "find-video-depth": visionMemory },
};

/** TripoSR: an object of one image. */
export const graphTripoSrEngine: EngineEntry = {
  kind: "object",
  readProfile: async (files) => {
    const { tripoSrFamily } = await import("../../models/triposr/config.ts");
    const { readNetworkSizes, readSourceHash } = await import("./read_vision_profile.ts");
    const network = await readNetworkSizes(files, tripoSrFamily, "tokenizer.embeddings");
    return network && { kind: "object", engine: "graph-triposr", network, sourceSha256: await readSourceHash(files) };
  },
  open: async (files, options) => await (await import("./open_engines.ts")).openGraphTripoSr(files, options),
  memory: { "make-object": visionMemory },
};

/** InstantMesh: an object of four or six views. */
export const graphInstantMeshEngine: EngineEntry = {
  kind: "object",
  readProfile: async (files) => {
    const { instantMeshFamily } = await import("../../models/instantmesh/config.ts");
    const { readNetworkSizes, readSourceHash } = await import("./read_vision_profile.ts");
    const network = await readNetworkSizes(files, instantMeshFamily, "lrm_generator.transformer.pos_embed");
    return network &&
      { kind: "object", engine: "graph-instantmesh", network, sourceSha256: await readSourceHash(files) };
  },
  open: async (files, options) => await (await import("./open_engines.ts")).openGraphInstantMesh(files, options),
  memory: { "reconstruct-object": visionMemory },
};

/** The service has planned it, since the sizes of images decide. */
function visionMemory({ workBytes }: VisionOrder): number {
  return workBytes;
}
