/**
 * Where a walk through a world starts when nobody says otherwise.
 *
 * @module
 */
import * as v from "valibot";
import type { ModelLocation } from "../world/model_roots.ts";
import type { ModelStart } from "../world/model_start.ts";
import { WorldError } from "../world/world_error.ts";
import { modelRoot } from "./model_root.ts";

const config = v.object({ default_prompt: v.string() });

/**
 * Reads what a model brings along in its base root: `source.png`, and `default_prompt` of `config.json`.
 *
 * @throws {WorldError} `start_not_found` when one of them is missing
 */
export async function readModelStart({ id, basePath, readText }: ModelLocation): Promise<ModelStart> {
  const file = await modelRoot(basePath).open("source.png");
  const text = await readText(basePath, "config.json");
  const parsed = v.safeParse(config, text === undefined ? undefined : JSON.parse(text));
  if (!file || !parsed.success) {
    const missing = file ? '"default_prompt" in config.json' : "source.png";
    throw new WorldError(
      "not_found_error",
      "start_not_found",
      `Cannot start a walk in ${id} by itself: there is no ${missing} in ${basePath}, give a source image and a prompt`,
    );
  }
  return { image: await file.read(0, file.size), prompt: parsed.output.default_prompt };
}
