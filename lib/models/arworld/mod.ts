/**
 * The world model `arworld`: a causal video transformer with camera attention (DreamX-World on the Wan 2.2 modules),
 * of any size that its `config.json` names.
 *
 * @module
 */
export type { ModelRoot } from "../checkpoint/model_root.ts";
export { TokenizerError } from "../tokenizer/tokenizer_json.ts";
export type { TensorShapes } from "../checkpoint/tensor_shapes.ts";
export type { LoadOptions } from "../checkpoint/read_weights.ts";
export * from "../checkpoint/weights.ts";
export type * from "../world/device_state.ts";
export * from "../noise/philox.ts";
export { resizeImage, type ResizeKernel } from "../../media/images/resize_image.ts";
export { type DecodedFrames, FrameDecoder } from "../video_vae/frame_decoder.ts";
export * from "../video_vae/image_encoder.ts";
export type { LatentSize } from "../video_vae/latents.ts";
export type * from "../video_vae/vae_config.ts";
export * from "../video_vae/vae_config.ts";
export * from "./arworld_engine.ts";
export * from "./arworld_model.ts";
export * from "./sampling/block_sampler.ts";
export * from "./camera/camera.ts";
export * from "./config.ts";
export * from "./sampling/generate_block.ts";
export * from "./lab_transfer.ts";
export type { LatentAnchor } from "./latent_anchors.ts";
export * from "./loader.ts";
export * from "./parse_config.ts";
export * from "./text/prompt_encoder.ts";
export * from "./tensor_shapes.ts";
export * from "./sampling/time_tables.ts";
export * from "./text/tokenizer.ts";
export * from "./camera/trajectory.ts";
export { type CameraTensors, cameraTensors } from "./transformer/window_inputs.ts";
