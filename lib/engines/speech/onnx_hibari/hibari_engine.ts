/**
 * The voice of Hibari.
 *
 * @module
 */
import type { EngineEntry } from "../../contract/engine_entry.ts";
import { speechMemory } from "../speech_memory.ts";

/** Hibari on ONNX Runtime. */
export const hibariEngine: EngineEntry = {
  kind: "speech",
  readProfile: async (files) => await (await import("./read_hibari_profile.ts")).readHibariProfile(files),
  open: async (files, options) => {
    const { openHibariModel } = await import("./open_hibari_model.ts");
    const { openSpeech } = await import("../open_speech.ts");
    return openSpeech(await openHibariModel(files, options));
  },
  memory: { speak: speechMemory },
};
