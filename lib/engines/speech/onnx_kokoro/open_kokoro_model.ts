/**
 * Kokoro-82M on ONNX Runtime: 54 voices.
 *
 * @module
 */
import { isObject } from "../../../json/json_text.ts";
import type { InferenceSession } from "onnxruntime-node";
import { readModelJson, readModelValue } from "../../files/model_json.ts";
import type { ModelFiles } from "../../contract/engine_entry.ts";
import { openSession, type SessionSettings } from "../../onnx_sessions/open_session.ts";
import { EnglishLibrary } from "../open_english.ts";
import { type PhonemeNumbers, phonemeNumbers, readPhonemeNumbers } from "../phonemes.ts";
import { speakSentences } from "../speak_sentences.ts";
import type { SpeechModel } from "../../contract/speech_model.ts";
import { readsBritish } from "../preset_voice.ts";
import {
  kokoroNetworkFile,
  listKokoroVoices,
  readKokoroProfile,
  readVoiceStyles,
  SAMPLE_RATE,
  STYLE_SIZE,
  type VoiceStyles,
} from "./kokoro_profile.ts";

/** Maximum number of symbols per run, without the zeros at the ends. */
const LENGTHS = { together: 400, maximum: 510 };

/** Maximum samples of a portion: at half speed, far more than any has. */
const MAX_SAMPLES = 180 * SAMPLE_RATE;

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
  const stylesOf = async (name: string): Promise<VoiceStyles> => {
    const voice = voices.find((voice) => voice.name === name) ?? voices[0];
    const found = styles.get(voice.name) ?? await readVoiceStyles(files, voice);
    styles.set(voice.name, found);
    return found;
  };
  const { runtime, session, device } = await openSession(files.path(file), settings);
  try {
    const ports = networkPorts(session, file);
    const { Tensor } = runtime;
    await library.phonemes(readsBritish(voices[0]));
    const speaker = {
      voices,
      english: library,
      lengths: LENGTHS,
      sampleRate: SAMPLE_RATE,
      open: async ({ name }: { readonly name: string }) => void await stylesOf(name),
      run: async (phonemes: string, { name }: { readonly name: string }, speed: number) => {
        const ids = phonemeNumbers(numbers, phonemes);
        if (ids.length < 3) return () => Promise.resolve(new Float32Array());
        const style = (await stylesOf(name)).of(ids.length - 2);
        const { [ports.sound]: sound } = await session.run({
          [ports.numbers]: new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]),
          [ports.style]: new Tensor("float32", style, [1, STYLE_SIZE]),
          [ports.speed]: new Tensor("float32", Float32Array.of(speed), [1]),
        }, [ports.sound]);
        return () => Promise.resolve(checkedSound(sound.data, file));
      },
    };
    return {
      profile,
      device,
      speak: (request, listener, signal) => speakSentences(speaker, request, listener, signal),
      close: async () => {
        await library.close();
        await session.release();
      },
    };
  } catch (error) {
    await library.close();
    await session.release();
    throw error;
  }
}

/** Names of inputs and outputs; exports differ in them. */
function networkPorts(
  { inputNames, outputNames }: InferenceSession,
  file: string,
): { readonly numbers: string; readonly style: string; readonly speed: string; readonly sound: string } {
  const pick = (names: readonly string[], kind: string, ...wanted: readonly string[]) => {
    const found = wanted.find((name) => names.includes(name));
    if (found !== undefined) return found;
    throw new Error(`Cannot use ${file}: its ${kind}s are ${names.join(", ")}, expected ${wanted.join(" or ")}`);
  };
  return {
    numbers: pick(inputNames, "input", "input_ids", "tokens"),
    style: pick(inputNames, "input", "style"),
    speed: pick(inputNames, "input", "speed"),
    sound: pick(outputNames, "output", "waveform", "audio"),
  };
}

/** The vocabulary of the model's tokenizer, else that of Hibari, which is the same. */
async function readVocabulary(files: ModelFiles, english: ModelFiles): Promise<PhonemeNumbers> {
  const { model } = await readModelJson(files, "tokenizer.json") ?? {};
  const own = isObject(model) ? model.vocab : undefined;
  if (own !== undefined) return readPhonemeNumbers(own, "tokenizer.json");
  return readPhonemeNumbers(await readModelValue(english, "vocab.json"), "vocab.json");
}

function checkedSound(data: unknown, file: string): Float32Array<ArrayBuffer> {
  if (!(data instanceof Float32Array) || data.length > MAX_SAMPLES || !data.every(Number.isFinite)) {
    throw new Error(`Cannot use ${file}: its output is not sound, use another quantization of the model`);
  }
  return data.slice();
}
