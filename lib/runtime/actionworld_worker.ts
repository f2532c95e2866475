/**
 * The worker in which an actionworld lives.
 *
 * @module
 */
import { ActionworldModel } from "../models/actionworld/actionworld_model.ts";
import type { ClipRequest } from "../models/clip_model.ts";
import type { ModelMessage, ModelReply } from "../world/model_protocol.ts";
import { serveModel } from "../world/serve_model.ts";
import { modelRoot } from "./model_root.ts";
import type { ActionworldSettings } from "./model_settings.ts";
import { openDevice } from "./open_device.ts";
import { parentPort } from "./parent_port.ts";

serveModel<ActionworldSettings, ClipRequest>(
  await parentPort<ModelReply, ModelMessage<ActionworldSettings>>(),
  ({ id, path, device, threads }) =>
    new ActionworldModel({ id, snapshot: modelRoot(path), openDevice: () => openDevice(device, threads) }),
);
