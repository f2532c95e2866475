/**
 * A store with the real voice of Hibari.
 *
 * @module
 */
import { join } from "node:path";
import { addModel } from "../../lib/store/add_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import type { ModelFiles } from "../../lib/engines/contract/engine_entry.ts";

/** Adds the voice to the store of a home, whose files stay where they are. */
export async function installVoice(home: string, files: ModelFiles): Promise<void> {
  const store = openModelStore(join(home, "models"));
  const options = { path: files.path("."), id: "speech-hibari", link: true };
  await addModel(store, options, () => {}, new AbortController().signal);
}
