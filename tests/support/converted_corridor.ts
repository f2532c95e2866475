/**
 * The embedded world as `svc model convert` writes it.
 *
 * @module
 */
import { join } from "node:path";
import { embeddedFolder } from "../../lib/app/embedded/embedded_folder.ts";
import type { ConvertedPart } from "../../lib/store/convert/world/convert_part.ts";
import { convertWorld } from "../../lib/store/convert/world/convert_world.ts";
import type { WeightType } from "../../lib/store/convert/world/stored_form.ts";

const SOURCES = { vae: "base/vae", "text encoder": "base/t5_encoder", causal: "causal/model" } as const;

/** Converts `corridor-nano` into a folder. */
export async function convertedCorridor(output: string, type: WeightType): Promise<readonly ConvertedPart[]> {
  const folder = await embeddedFolder("corridor-nano");
  const parts = (Object.keys(SOURCES) as (keyof typeof SOURCES)[]).map((part) => ({
    part,
    source: join(folder, `${SOURCES[part]}.safetensors`),
    type,
  }));
  return await convertWorld({ output, parts }, () => {}, new AbortController().signal);
}
