/**
 * Kokoro-82M on ONNX Runtime: 54 voices.
 *
 * @module
 */
import { isObject } from "../../../json/json_text.ts";
import { readModelJson, readModelValue } from "../../files/model_json.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { firstThatWorks } from "../../onnx_sessions/engine_devices.ts";
import { sessionDevices, type SessionSettings, type SessionSource } from "../../onnx_sessions/open_session.ts";
import { EnglishLibrary } from "../open_english.ts";
import { type PhonemeNumbers, phonemeNumbers, readPhonemeNumbers } from "../phonemes.ts";
import { speakSentences } from "../speak_sentences.ts";
import { openSpeechThread, sentSettings } from "../speech_thread.ts";
import { siblingModule } from "../../../platform/workers/spawn_worker.ts";
import type { SpeechModel } from "../../contract/speech_model.ts";
import { readsBritish } from "../preset_voice.ts";
import {
  kokoroNetworkFile,
  listKokoroVoices,
  readKokoroProfile,
  readVoiceStyles,
  SAMPLE_RATE,
  type VoiceStyles,
} from "./kokoro_profile.ts";
import { exactSigned, withoutIntegerConvolutions } from "./integer_convolutions.ts";
import type { KokoroService } from "./kokoro_network.ts";

/** Maximum number of symbols per run, without the zeros at the ends. */
const LENGTHS = { together: 400, maximum: 510 };

/**
 * Opens a model in the layout of Kokoro.
 *
 * @param english Source of the lexicons of Hibari, since Kokoro has none; the folder itself by default.
 * @throws {Error} naming the file that is missing or cannot be used.
 */
export async function openKokoroModel(
  files: ModelFiles,
  settings: SessionSettings,
  english: ModelFiles = files,
): Promise<SpeechModel> {
  const profile = await readKokoroProfile(files);
  const file = kokoroNetworkFile(files);
  if (profile === undefined || file === undefined) {
    throw new Error(
      "Cannot open the model: its files are not those of Kokoro, expected onnx/model.onnx and voices/af_heart.bin",
    );
  }
  const voices = listKokoroVoices(files);
  const numbers = await readVocabulary(files, english);
  const library = new EnglishLibrary(english, settings);
  const styles = new Map<string, VoiceStyles>();
  const openStyles = async ({ name }: { readonly name: string }): Promise<void> => {
    const voice = voices.find((voice) => voice.name === name) ?? voices[0];
    if (!styles.has(name)) styles.set(name, await readVoiceStyles(files, voice));
  };
  const thread = await openSpeechThread<KokoroService>(siblingModule("kokoro_worker", import.meta.url), "kokoro");
  const close = async () => {
    await library.close();
    await thread.client.call("close", []).catch(() => {});
    await thread.close();
  };
  try {
    const openOn = async (device: string): Promise<string> => {
      const own = { ...sentSettings(settings), device };
      const open = (source: SessionSource, transfer: readonly ArrayBuffer[] = []) =>
        thread.client.call("open", [source, file, own], { transfer });
      const faster = device === "cpu" ? await withoutIntegerConvolutions(files, file, await exactSigned()) : undefined;
      if (faster === undefined) return await open(files.path(file));
      return await open(faster, [faster.bytes.buffer]).catch(() => open(files.path(file)));
    };
    const [{ value: device }] = await Promise.all([
      firstThatWorks(await sessionDevices(settings), openOn),
      library.phonemes(readsBritish(voices[0])),
    ]);
    const speaker = {
      voices,
      english: library,
      lengths: LENGTHS,
      sampleRate: SAMPLE_RATE,
      open: openStyles,
      run: async (phonemes: string, { name }: { readonly name: string }, speed: number) => {
        const ids = phonemeNumbers(numbers, phonemes);
        if (ids.length < 3) return () => Promise.resolve(new Float32Array());
        const style = styles.get(name)!.of(ids.length - 2);
        const sound = await thread.client.call("run", [ids, style, speed]);
        return () => Promise.resolve(sound);
      },
    };
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

/** The vocabulary of the model's tokenizer, else that of Hibari, which is the same. */
async function readVocabulary(files: ModelFiles, english: ModelFiles): Promise<PhonemeNumbers> {
  const { model } = await readModelJson(files, "tokenizer.json") ?? {};
  const own = isObject(model) ? model.vocab : undefined;
  if (own !== undefined) return readPhonemeNumbers(own, "tokenizer.json");
  return readPhonemeNumbers(await readModelValue(english, "vocab.json"), "vocab.json");
}
