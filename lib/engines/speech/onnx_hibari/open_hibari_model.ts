/**
 * Hibari on ONNX Runtime: a real English voice of 14 MB.
 *
 * @module
 */
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { readModelValue } from "../../files/model_json.ts";
import type { SessionSettings } from "../../onnx_sessions/open_session.ts";
import { buffersIn } from "../../../platform/rpc/rpc_service.ts";
import { siblingModule } from "../../../platform/workers/spawn_worker.ts";
import { EnglishLibrary } from "../open_english.ts";
import { phonemeNumbers, readPhonemeNumbers } from "../phonemes.ts";
import { speakSentences } from "../speak_sentences.ts";
import { openSpeechThread, sentSettings } from "../speech_thread.ts";
import type { SpeechModel } from "../../contract/speech_model.ts";
import { readsBritish } from "../preset_voice.ts";
import { type HibariVoice, readHibariProfile, readHibariVoices, VOCABULARY_FILE } from "./hibari_profile.ts";
import type { SpectraService } from "./hibari_network.ts";
import { SAMPLE_RATE, type WaveformService } from "./waveform.ts";

/** Maximum number of symbols per run of its voices. */
const LENGTHS = { together: 400, maximum: 510 };

/** Phonemes that are spoken once, unheard, when a model is opened. */
const WARM_UP = "həlˈO ðˈɛɹ, hˌW ɑɹ ju tədˈA?";

/** A thread makes seconds of sound in milliseconds, and another one makes the waveform meanwhile. */
const THREADS = 1;

/**
 * Opens a model in the layout of Hibari with its first voice; further voices are opened when they speak first.
 *
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function openHibariModel(files: ModelFiles, settings: SessionSettings): Promise<SpeechModel> {
  const profile = await readHibariProfile(files);
  if (profile === undefined) {
    throw new Error(
      `Cannot open the model: its files are not those of Hibari, expected ${VOCABULARY_FILE} and voices.json`,
    );
  }
  const voices = await readHibariVoices(files);
  const numbers = readPhonemeNumbers(await readModelValue(files, VOCABULARY_FILE), VOCABULARY_FILE);
  const english = new EnglishLibrary(files, settings);
  const spectra = await openSpeechThread<SpectraService>(siblingModule("spectra_worker", import.meta.url), "spectra");
  const sounds = await openSpeechThread<WaveformService>(siblingModule("waveform_worker", import.meta.url), "waveform");
  // The networks are too small to benefit from a GPU.
  const ownSettings = { ...sentSettings(settings), device: "cpu", threads: settings.threads ?? THREADS };
  const devices = new Map<string, Promise<string>>();
  const open = ({ file }: HibariVoice): Promise<string> => {
    const found = devices.get(file);
    if (found !== undefined) return found;
    const opened = spectra.client.call("open", [files.path(file), file, ownSettings]);
    devices.set(file, opened);
    opened.catch(() => devices.delete(file));
    return opened;
  };
  const close = async () => {
    await english.close();
    await spectra.client.call("close", []).catch(() => {});
    await Promise.all([spectra.close(), sounds.close()]);
  };
  const voiceOf = (name: string) => voices.find((voice) => voice.name === name) ?? voices[0];
  try {
    const [device] = await Promise.all([open(voices[0]), english.phonemes(readsBritish(voices[0]))]);
    const speaker = {
      voices,
      english,
      lengths: LENGTHS,
      sampleRate: SAMPLE_RATE,
      open: async ({ name }: { readonly name: string }) => void await open(voiceOf(name)),
      run: async (phonemes: string, { name }: { readonly name: string }, speed: number) => {
        const ids = phonemeNumbers(numbers, phonemes);
        if (ids.length < 3) return () => Promise.resolve(new Float32Array());
        const shapes = await spectra.client.call("run", [voiceOf(name).file, ids, speed]);
        const sound = sounds.client.call("make", [shapes], { transfer: buffersIn(shapes) });
        sound.catch(() => {}); // it is awaited later
        return () => sound;
      },
    };
    // The first sentence of the first request does not wait for what is made once.
    await (await speaker.run(WARM_UP, voices[0], 1))();
    return {
      profile,
      device,
      speak: (request, listener, signal) => speakSentences(speaker, request, listener, signal),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
