/**
 * Check of the two namings of the video autoencoder's weights against `vae_name_map.json`.
 *
 * @module
 */
import * as v from "valibot";
import { diffusersVaeName } from "../../../lib/models/video_vae/vae_config.ts";
import type { Comparison } from "../golden.ts";

const fileSchema = v.object({ map: v.record(v.string(), v.string()) });

/** Every name of the file, translated by us. */
export function checkVaeNames(json: unknown): Comparison[] {
  const { map } = v.parse(fileSchema, json);
  return Object.entries(map).map(([diffusers, wan]) => ({
    name: wan,
    maxAbs: diffusersVaeName(wan) === diffusers ? 0 : Infinity,
    tolerance: 0,
  }));
}
