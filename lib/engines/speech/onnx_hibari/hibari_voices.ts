/**
 * The voices of Hibari.
 *
 * @module
 */
import * as v from "valibot";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelValue } from "../../files/model_json.ts";
import { AMERICAN, BRITISH, type PresetVoice } from "../voices/preset_voice.ts";

/** A voice, and the network that speaks with it. */
export interface HibariVoice extends PresetVoice {
  /** Name in the model's folder. */
  readonly file: string;
}

const schema = v.record(
  v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,31}$/)),
  v.object({
    kokoro: v.optional(v.string()),
    gender: v.picklist(["female", "male"]),
    british: v.boolean(),
    file: v.pipe(v.string(), v.maxLength(200)),
  }),
);

/** The list of voices. */
export const VOICES_FILE = "voices.json";

/**
 * The voices whose networks are among the files, in the order of the list.
 *
 * @throws {Error} when the list cannot be used.
 */
export async function readHibariVoices(files: ModelFiles): Promise<HibariVoice[]> {
  const read = v.safeParse(schema, await readModelValue(files, VOICES_FILE));
  if (!read.success) {
    const { path, message } = read.issues[0];
    const at = path?.map(({ key }) => String(key)).join(".") ?? "the whole";
    throw new Error(`Cannot use ${VOICES_FILE}: ${at}: ${message}, expected voices with gender, british and file`);
  }
  return Object.entries(read.output).flatMap(([name, { kokoro, gender, british, file }]) => {
    const found = [file, `voices/${file}`].find((path) => files.names.includes(path));
    const accent = british ? BRITISH : AMERICAN;
    return found === undefined ? [] : [{ name, aliases: kokoro ? [kokoro] : [], gender, accent, file: found }];
  });
}
