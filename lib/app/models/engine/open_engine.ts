/**
 * Opens models inside engine processes.
 *
 * @module
 */
import type { ChatRandom, EngineModel, EngineOptions, OpenedEngine } from "../../../engines/contract/engine_entry.ts";
import type { EngineSettings } from "../../../engines/contract/engine_settings.ts";
import { GrammarPool } from "../../../engines/constrained_decoding/grammar_pool.ts";
import { engines } from "../../../engines/table/engine_table.ts";
import { environmentVariable } from "../../../platform/processes/runtime.ts";
import { missingDevices } from "./missing_devices.ts";
import { siblingModule, spawnWorker } from "../../../platform/workers/spawn_worker.ts";
import { openModelFolder } from "../../../store/model_folder.ts";

/** Cryptographically secure random numbers. */
const chatRandom: ChatRandom = {
  id: () => crypto.randomUUID().slice(0, 8),
  seed: () => crypto.getRandomValues(new Uint32Array(1))[0],
};

/** Opens a model with the engine that its profile names. */
export async function openEngine(
  { folder, files, profile, companion }: EngineModel,
  settings: EngineSettings,
  onProgress: (fraction: number) => void,
): Promise<OpenedEngine> {
  const options: EngineOptions = {
    ...settings,
    onProgress,
    random: chatRandom,
    openConstrainer: (vocabulary) =>
      new GrammarPool(
        vocabulary,
        () => spawnWorker(siblingModule("grammar_worker", import.meta.url), { name: "grammars", native: false }),
      ),
    prefixCache: environmentVariable("SVC_PREFIX_KV_CACHE") !== "0",
    missing: missingDevices(),
    keepTests: true,
  };
  const other = companion && openModelFolder(companion.folder, companion.files);
  return await engines[profile.engine].open(openModelFolder(folder, files), options, other);
}
