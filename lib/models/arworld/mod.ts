/**
 * The world model `arworld`: a causal video transformer with camera attention (DreamX-World on the Wan 2.2 modules),
 * of any size that its `config.json` names.
 *
 * @module
 */
export * from "./arworld_engine.ts";
export * from "./arworld_model.ts";
export * from "./block_sampler.ts";
export * from "./camera.ts";
export * from "./config.ts";
export type * from "./device_state.ts";
export * from "./generate_block.ts";
export * from "./image_resize.ts";
export * from "./lab_transfer.ts";
export * from "./loader.ts";
export type { ModelRoot } from "./model_root.ts";
export * from "./parse_config.ts";
export * from "./philox.ts";
export * from "./prompt_encoder.ts";
export * from "./tensor_shapes.ts";
export * from "./time_tables.ts";
export * from "./tokenizer.ts";
export * from "./trajectory.ts";
export * from "./vae/frame_decoder.ts";
export * from "./vae/image_encoder.ts";
export * from "./weights.ts";
export type { LatentSize } from "./transformer/transformer_graphs.ts";
export { type CameraTensors, cameraTensors } from "./transformer/window_inputs.ts";
