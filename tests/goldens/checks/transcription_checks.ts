/** Checks of what turns sound into text. */
import type { Checks } from "../check.ts";
import { checkNemoFeatures, checkWhisperFeatures } from "./mel_checks.ts";
import { checkMoonshine } from "./moonshine_check.ts";
import { checkResample } from "./resample_check.ts";
import { checkTransducer } from "./transducer_check.ts";
import { checkWhisperNetwork } from "./whisper_network_check.ts";

export const transcriptionChecks: Checks = {
  resample: checkResample,
  mel_whisper: checkWhisperFeatures,
  mel_parakeet: checkNemoFeatures,
  tdt_decode: checkTransducer,
  whisper_tiny_random: checkWhisperNetwork,
  moonshine_decode: checkMoonshine,
};
