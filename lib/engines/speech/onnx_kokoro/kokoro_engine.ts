/**
 * The voices of Kokoro.
 *
 * @module
 */
import type { EngineEntry } from "../../contract/engine_entry.ts";
import { speechMemory } from "../speech_memory.ts";

/** Kokoro on ONNX Runtime. */
export const kokoroEngine: EngineEntry = {
  kind: "speech",
  readProfile: async (files) => await (await import("./read_kokoro_profile.ts")).readKokoroProfile(files),
  open: async (files, options, companion) => {
    const { openKokoroModel } = await import("./open_kokoro_model.ts");
    const { openSpeech } = await import("../open_speech.ts");
    return openSpeech(await openKokoroModel(files, options, companion));
  },
  memory: { speak: speechMemory },
  companion: {
    engine: "onnx-hibari",
    optional: (names) => names.includes("normalize.json"),
    missing:
      "it reads English with the files of speech-hibari, add it with svc model add hibari_tts-0.2.1-py3-none-any.whl",
  },
};
