/**
 * Generated worlds on whatever GPU you own, or on none.
 *
 * {@linkcode openWorld} walks through a world in this process, {@linkcode WorldClient} through one that
 * `svc world serve` serves; {@linkcode openChat} opens a model that chats, without a server. The parts have doors of
 * their own: `./tensor` (graphs and weights), `./onnx` and `./webgpu` (devices), `./arworld` and `./actionworld` (the
 * models), `./media` (images and video), `./world` (the session), `./http` (servers, client), `./manifest` (provider
 * manifests), `./text` (the chat protocol), `./engines` (what runs models), `./pool` (who may infer, and what stays in
 * memory), `./store` (installed models), `./api` (the model API without HTTP).
 *
 * @example Walk through the embedded corridor
 * ```ts
 * import { openWorld } from "@svc/sdk";
 *
 * await using world = await openWorld({ device: "cpu" });
 * for await (const block of world.walk(["w"])) {
 *   console.assert(block.frames.count === 9);
 * }
 * ```
 *
 * @module
 */
export { WorldApiError } from "./lib/world/client/world_api_error.ts";
export type * from "./lib/world/client/client_options.ts";
export { WorldClient } from "./lib/world/client/world_client.ts";
export type { RgbFrames, RgbImage } from "./lib/media/images/rgb_image.ts";
export type { ChunkOptions, EncodedChunk } from "./lib/media/video/chunk_encoder.ts";
export type { Media } from "./lib/media/video/media.ts";
export type { VideoFrames } from "./lib/media/video/read_video_frames.ts";
export type * from "./lib/models/world/world_model.ts";
export type { DeviceChoice } from "./lib/app/world/open_device.ts";
export { Chat, type ChatBody, type ChatCallOptions, type ChatParts } from "./lib/app/models/chat.ts";
export { openChat, type OpenChatOptions } from "./lib/app/models/open_chat.ts";
export { openWorld, type OpenWorldOptions } from "./lib/app/world/open_world.ts";
export { type WalkedBlock, type WalkOptions, World, type WorldParts } from "./lib/app/world/world.ts";
export type { SceneMemoryOptions } from "./lib/world/protocol/scene_memory_policy.ts";
export { parseWalkActions, WalkActionError, type WalkActions } from "./lib/world/protocol/walk_actions.ts";
export type * from "./lib/world/protocol/wire.ts";
export { type ErrorObject, SvcError, type SvcErrorOptions } from "./lib/errors/svc_error.ts";
export type { ErrorCode, ErrorType, FieldErrorCode } from "./lib/errors/error_table.ts";
