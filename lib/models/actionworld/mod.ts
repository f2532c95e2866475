/**
 * The world model `actionworld`: a two-stream transformer conditioned on camera motion (NVIDIA Cosmos3-Edge in its
 * camera-pose domain), of any size that its snapshot specifies.
 *
 * @module
 */
export type { ModelRoot } from "../checkpoint/model_root.ts";
export type { LoadOptions } from "../checkpoint/read_weights.ts";
export { TokenizerError } from "../tokenizer/tokenizer_json.ts";
export { Weights } from "../checkpoint/weights.ts";
export type * from "../world/clip_model.ts";
export type * from "../world/device_state.ts";
export * from "../noise/philox.ts";
export { type DecodedFrames, FrameDecoder } from "../video_vae/frame_decoder.ts";
export { ImageEncoder } from "../video_vae/image_encoder.ts";
export type { LatentSize } from "../video_vae/latents.ts";
export type * from "../video_vae/vae_config.ts";
export type * from "../world/world_model.ts";
export * from "./action_rows.ts";
export * from "./actionworld_engine.ts";
export * from "./actionworld_model.ts";
export * from "./canvas.ts";
export * from "./text/chat_template.ts";
export * from "./clip_sampler.ts";
export * from "./clip_velocity.ts";
export * from "./config.ts";
export * from "./decode_clip.ts";
export * from "./encode_picture.ts";
export * from "./generate_clip.ts";
export * from "./loader.ts";
export * from "./text/message_tokenizer.ts";
export * from "./parse_config.ts";
export * from "./positions.ts";
export * from "./text/prompt_message.ts";
export * from "./text/text_streams.ts";
export type { ClipSize } from "./transformer/transformer_graphs.ts";
export * from "./uni_pc.ts";
export type { VisionConfig } from "./vision_config.ts";
