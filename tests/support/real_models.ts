/**
 * Published models for tests, as `npm run models` installs them: from the store of this machine, else fetched once with pip
 * and npm into a store of the tests' own.
 *
 * @module
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModelTask } from "../../lib/store/catalog/installed_model.ts";
import { addModel } from "../../lib/store/add_model.ts";
import { type ModelStore, openModelStore } from "../../lib/store/model_store.ts";
import { installPackagedModel } from "../../lib/store/packaged/install_packaged_model.ts";
import { PACKAGED_MODELS } from "../../lib/store/packaged/packaged_models.ts";
import { runInFolder } from "../../lib/platform/processes/run_process.ts";
import { moonshineFiles } from "./moonshine_files.ts";
import { NO_VOICE, speechModelFiles } from "./speech_model_files.ts";

/** A model that packages carry, or why there is none. */
export type RealModel = FoundModel | { readonly ok: false; readonly id: string; readonly reason: string };

/** A model that is there. */
export interface FoundModel {
  readonly ok: true;
  readonly id: string;
  readonly task: ModelTask;
  readonly folder: string;
  /** Of its files, relative to the folder. */
  readonly names: readonly string[];
}

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/svc/models", import.meta.url));

/** Longest wait for a download, so that a slow network skips tests and does not hold them up. */
const FETCH_TIMEOUT = 180_000;

/** Models whose files other tests fetch too: where they are kept. */
const shared: Readonly<Record<string, () => Promise<{ readonly folder?: string; readonly reason?: string }>>> = {
  "speech-hibari": async () => {
    const files = await speechModelFiles();
    return files ? { folder: files.path(".") } : { reason: NO_VOICE };
  },
  "transcription-moonshine-tiny": moonshineFiles,
};

/** Finds a model, or fetches it; where that fails, returns the reason, for a test to be skipped with. */
export async function realModel(id: string): Promise<RealModel> {
  const own = openModelStore(CACHE, false);
  for (const store of [openModelStore(), own]) {
    const found = await findIn(store, id);
    if (found) return found;
  }
  const packaged = PACKAGED_MODELS.find((one) => one.id === id);
  if (packaged === undefined) return { ok: false, id, reason: `no package carries ${id}` };
  if (id in shared) {
    const { folder, reason = "" } = await shared[id]();
    if (folder === undefined) return { ok: false, id, reason };
    return { ok: true, id, task: packaged.task, folder, names: readdirSync(folder) };
  }
  let reason = `it is not in ${CACHE}`;
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT);
    const nothing = () => {};
    const tools = { run: runInFolder, shown: false, onFetch: nothing, onTransfer: nothing, replace: false, signal };
    await installPackagedModel(own, packaged, tools);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  // Another process of the tests may have been faster.
  return await findIn(own, id) ?? { ok: false, id, reason: `${id} is not installed, and not fetched: ${reason}` };
}

/** Adds models to the store of a home folder (`SVC_HOME`); their files stay where they are. */
export async function linkModels(home: string, models: readonly RealModel[]): Promise<void> {
  const store = openModelStore(join(home, "models"));
  for (const one of models) {
    if (!one.ok) continue;
    const { id, task, folder: path } = one;
    await addModel(store, { path, id, task, link: true }, () => {}, new AbortController().signal);
  }
}

async function findIn(store: ModelStore, id: string): Promise<FoundModel | undefined> {
  const model = (await store.list()).find((one) => one.id === id);
  if (model === undefined) return undefined;
  return { ok: true, id, task: model.task, folder: model.folder, names: model.files.map(({ path }) => path) };
}
