/**
 * The default start of a walk.
 *
 * @module
 */
import * as v from "valibot";
import type { ModelFolder } from "../../protocol/model_files.ts";
import type { ModelLocation } from "../../backends/model_roots.ts";
import type { ModelStart } from "../../backends/model_start.ts";
import { modelRoot } from "../../plan/model_root.ts";
import { notFound } from "../../../errors/svc_error.ts";

const config = v.object({ default_prompt: v.string() });

/**
 * Reads the default start from a model's folder, or from its base if it has one: `source.png`, and `default_prompt` of
 * `config.json`.
 *
 * @throws {SvcError} `start_not_found` when one of them is missing
 */
export async function readModelStart(location: ModelFolder | ModelLocation): Promise<ModelStart> {
  const { id, readText } = location;
  const root = "basePath" in location ? location.basePath : location.path;
  const file = await modelRoot(root).open("source.png");
  const text = await readText(root, "config.json");
  const parsed = v.safeParse(config, text === undefined ? undefined : JSON.parse(text));
  if (!file || !parsed.success) {
    const missing = file ? '"default_prompt" in config.json' : "source.png";
    throw notFound(
      "start_not_found",
      `Cannot start a walk in ${id}: there is no ${missing} in ${root}, give a source image and a prompt`,
    );
  }
  return { image: await file.read(0, file.size), prompt: parsed.output.default_prompt };
}
