/**
 * Models of other programs that could be used in place.
 *
 * @module
 */
import type { InstalledModel } from "../catalog/installed_model.ts";
import { idOfRepository } from "../catalog/model_id.ts";
import { stat } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { inspectPath } from "../inspect_model.ts";
import { findHubModels, findLmStudioModels, type FoundFiles, hubCacheFolder } from "./local_caches.ts";
import { findOllamaModels } from "./ollama_models.ts";

/** A model of another program, as its files describe it. */
export interface FoundModel extends FoundFiles {
  /** A free id for it. */
  readonly id: string;
  /** Bytes of the files that would be used. */
  readonly bytes?: number;
  readonly task?: string;
  readonly engine?: string;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/**
 * Looks for models in the hub's cache, in Ollama's folder and in those of LM Studio. Only headers are read.
 *
 * @param environment Variables, `HOME` or `USERPROFILE` among them.
 * @param installed Models whose ids are taken.
 * @param shared Folders of Ollama besides that of the user.
 */
export async function findModels(
  environment: (name: string) => string | undefined,
  installed: readonly Pick<InstalledModel, "id">[],
  shared: readonly string[] = [OLLAMA_SERVICE],
): Promise<FoundModel[]> {
  const home = environment("HOME") ?? environment("USERPROFILE") ?? "";
  const given = environment("OLLAMA_MODELS")?.trim();
  const ollama = given ? [given] : [join(home, ".ollama", "models"), ...shared];
  const places = [
    ...await findHubModels(hubCacheFolder(environment, home)),
    ...(await Promise.all(ollama.map(findOllamaModels))).flat(),
    ...await findLmStudioModels(join(home, ".lmstudio", "models")),
    ...await findLmStudioModels(join(home, ".cache", "lm-studio", "models")),
  ];
  const taken = new Set(installed.map(({ id }) => id));
  const found: FoundModel[] = [];
  for (const place of places) {
    const id = freeId(place.name, taken);
    taken.add(id);
    found.push({ ...place, id, ...await describe(place.path) });
  }
  return found;
}

/** Where Ollama runs as a service of Linux, which its installer sets up; users of its group may read there. */
const OLLAMA_SERVICE = "/usr/share/ollama/.ollama/models";

/** What would be added. */
async function describe(path: string): Promise<Omit<FoundModel, keyof FoundFiles | "id">> {
  try {
    const { files, detected: { task, profile } } = await inspectPath(path, "use", { quick: true });
    const sizes = await Promise.all(files.names.map(async (name) => (await stat(files.path(name))).size));
    return { bytes: sizes.reduce((sum, size) => sum + size, 0), task, engine: profile.engine };
  } catch (error) {
    const info = await stat(path).catch(() => undefined);
    return { ...info?.isFile() && { bytes: info.size }, problem: reasonOf(error) };
  }
}

/** The part of a sentence that says why. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^Cannot \w+ [^:]*: /, "");
}

function freeId(name: string, taken: ReadonlySet<string>): string {
  const base = idOfRepository(name.replace(/:latest$/, "").replace(":", "-"));
  for (let i = 1;; i++) {
    const id = i === 1 ? base : `${base.slice(0, 90)}-${i}`;
    if (!taken.has(id)) return id;
  }
}
