/**
 * Opens models inside engine processes.
 *
 * @module
 */
import type { EngineModel, EngineOptions, OpenedEngine } from "../../../engines/contract/engine_entry.ts";
import type { EngineSettings } from "../../../engines/contract/engine_settings.ts";
import { GrammarConstrainer } from "../../../engines/constrained_decoding/grammar_constrainer.ts";
import { engines } from "../../../engines/table/engine_table.ts";
import { environmentVariable } from "../../../platform/processes/runtime.ts";
import { chatRandom } from "./chat_random.ts";
import { loadXGrammar } from "./load_xgrammar.ts";
import { missingDevices } from "./missing_devices.ts";
import { openModelFolder } from "../../../store/model_folder.ts";

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
    openConstrainer: (vocabulary) => new GrammarConstrainer(vocabulary, loadXGrammar),
    prefixCache: environmentVariable("SVC_PREFIX_KV_CACHE") !== "0",
    missing: missingDevices(),
  };
  const other = companion && openModelFolder(companion.folder, companion.files);
  return await engines[profile.engine].open(openModelFolder(folder, files), options, other);
}
