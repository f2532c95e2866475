/**
 * The worker that an arworld runs in.
 *
 * @module
 */
import { ArworldPlaces } from "../../models/arworld/arworld_places.ts";
import type { BlockRequest } from "../../models/world/world_model.ts";
import { serveModel } from "../backends/serve_model.ts";
import { encodedTexts, stateParking } from "./arworld_files.ts";
import { type ArworldSettings, modelDevices } from "./models/model_devices.ts";
import { arworldIn } from "./world_memory.ts";
import { modelRoot } from "../plan/model_root.ts";
import { openDevice } from "../../compute/device/open_device.ts";
import { findAppDirectory } from "../../platform/files/app_directory.ts";
import { parentPort } from "../../platform/workers/parent_port.ts";

serveModel<ArworldSettings, BlockRequest>(await parentPort(), (settings) => {
  const { id, path, basePath, threads, decoder, parkedStates } = settings;
  const [base, causal] = [modelRoot(basePath), modelRoot(path)];
  return new ArworldPlaces({
    parking: { files: stateParking(parkedStates) },
    texts: { openDevice: () => openDevice("cpu", threads), store: encodedTexts(findAppDirectory()) },
    decoder,
    id,
    base,
    causal,
    ...modelDevices(settings, arworldIn(base, causal, decoder)),
  });
});
