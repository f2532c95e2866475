/**
 * The worker that the model of a tab runs in.
 *
 * @module
 */
import type { ArworldEngine } from "../../lib/models/arworld/arworld_engine.ts";
import { ArworldModel } from "../../lib/models/arworld/arworld_model.ts";
import { ArworldPlaces } from "../../lib/models/arworld/arworld_places.ts";
import { startArworld } from "../../lib/models/arworld/start_arworld.ts";
import { SharedEngine } from "../../lib/models/world/shared_engine.ts";
import type { BlockRequest } from "../../lib/models/world/world_model.ts";
import { parentPort } from "../../lib/platform/workers/parent_port.ts";
import { serveModel } from "../../lib/world/backends/serve_model.ts";
import { fetchedFolder } from "./fetched_folder.ts";
import { TabDevices } from "./tab_device.ts";
import type { TabModelSettings } from "./tab_model.ts";
import { tabThreads } from "./tab_threads.ts";

const opening = parentPort();

serveModel<TabModelSettings, BlockRequest>(await opening, ({ id, folder, device }) => {
  const devices = new TabDevices(device, tabThreads());
  const options = {
    id,
    base: fetchedFolder(new URL("base/", folder), ["vae.safetensors", "t5_encoder.safetensors", "tokenizer.json"]),
    causal: fetchedFolder(new URL("causal/", folder), ["model.safetensors"]),
    openDevice: () => devices.open(),
  };
  return new ArworldPlaces(options, (place) => {
    const engine = new SharedEngine<ArworldEngine, ArworldModel>((prepare) =>
      devices.attempt(() => startArworld(place, prepare))
    );
    return new ArworldModel(place, engine);
  });
});
