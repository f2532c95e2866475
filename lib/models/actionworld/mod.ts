/**
 * The world model `actionworld`: a two-stream transformer that is told how the camera moves (NVIDIA Cosmos3-Edge in its
 * camera-pose domain), of any size that its snapshot names.
 *
 * @module
 */
export * from "./action_rows.ts";
export * from "./canvas.ts";
export * from "./clip_sampler.ts";
export * from "./clip_velocity.ts";
export * from "./config.ts";
export * from "./decode_clip.ts";
export * from "./encode_picture.ts";
export * from "./message_tokenizer.ts";
export * from "./positions.ts";
export * from "./prompt_message.ts";
export * from "./text_streams.ts";
export type { ClipSize } from "./transformer/transformer_graphs.ts";
export * from "./uni_pc.ts";
