/**
 * The worker that an actionworld runs in.
 *
 * @module
 */
import { ActionworldModel } from "../../models/actionworld/actionworld_model.ts";
import type { ClipRequest } from "../../models/world/clip_model.ts";
import { serveModel } from "../backends/serve_model.ts";
import { modelRoot } from "../plan/model_root.ts";
import { type ActionworldSettings, modelDevices } from "./models/model_devices.ts";
import { actionworldIn } from "./world_memory.ts";
import { parentPort } from "../../platform/workers/parent_port.ts";

serveModel<ActionworldSettings, ClipRequest>(await parentPort(), (settings) => {
  const snapshot = modelRoot(settings.path);
  return new ActionworldModel({
    id: settings.id,
    snapshot,
    ...modelDevices(settings, actionworldIn(snapshot)),
  });
});
