/**
 * The worker that an actionworld runs in.
 *
 * @module
 */
import { ActionworldModel } from "../../models/actionworld/actionworld_model.ts";
import type { ClipRequest } from "../../models/world/clip_model.ts";
import type { ModelMessage, ModelReply } from "../../world/backends/model_protocol.ts";
import { serveModel } from "../../world/backends/serve_model.ts";
import { modelRoot } from "./model_root.ts";
import type { ActionworldSettings } from "./model_settings.ts";
import { openDevice } from "../../engines/graph_device/open_device.ts";
import { parentPort } from "../../platform/workers/parent_port.ts";

serveModel<ActionworldSettings, ClipRequest>(
  await parentPort<ModelReply, ModelMessage<ActionworldSettings>>(),
  ({ id, path, device, threads }) =>
    new ActionworldModel({ id, snapshot: modelRoot(path), openDevice: () => openDevice(device, threads) }),
);
