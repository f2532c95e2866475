/**
 * The voice for a request.
 *
 * @module
 */
import { type SpeechRequest, SPEED } from "../contract/speech_model.ts";
import { openAiVoices, type PresetVoice, type VoiceWish } from "./preset_voice.ts";
import { readDescription, type VoiceDescription } from "./read_description.ts";

/** A voice with how it is used. */
export interface ChosenVoice {
  readonly voice: PresetVoice;
  /** With the described pace, within {@linkcode SPEED}. */
  readonly speed: number;
  /** Ignored instructions. */
  readonly warnings: readonly string[];
}

const NOTHING: VoiceDescription = { gender: undefined, accent: undefined, pace: undefined, others: [] };

/**
 * Chooses among the voices of a model: by name, by a name of OpenAI, or by gender, accent and pace in a description.
 * What instructions say comes before what a name of OpenAI or a description says, and after the name of a preset.
 *
 * @param presets Not empty; the first one speaks where nothing says otherwise.
 */
export function chooseVoice(
  presets: readonly PresetVoice[],
  { voice = "", instructions = "", speed }: Pick<SpeechRequest, "voice" | "instructions" | "speed">,
): ChosenVoice {
  const name = voice.trim();
  const instructed = instructions.trim() === "" ? NOTHING : readDescription(instructions);
  const preset = presets.find((preset) => isNamed(preset, name));
  const known = Object.hasOwn(openAiVoices, name.toLowerCase()) ? openAiVoices[name.toLowerCase()] : undefined;
  const described = name === "" || preset || known ? NOTHING : readDescription(name);
  const warnings = [
    ...unfollowed("voice", described, name, presets),
    ...unfollowed("instructions", instructed, instructions, presets),
  ];
  const gender = instructed.gender ?? described.gender ?? known?.gender;
  const accent = instructed.accent ?? described.accent ?? known?.accent;
  const changed = instructed.gender !== undefined || instructed.accent !== undefined;
  const wish: VoiceWish = {
    ...gender && { gender },
    ...accent && { accent },
    closest: changed ? [] : [name.toLowerCase(), ...known?.closest ?? []],
  };
  const chosen = preset ?? closestVoice(presets, wish);
  const from = preset ? instructed : { gender, accent };
  const heard = [
    ...from.gender && from.gender !== chosen.gender ? [from.gender] : [],
    ...from.accent && from.accent !== chosen.accent ? [from.accent] : [],
  ];
  if (heard.length > 0) {
    const why = preset ? "the voice is asked for by name" : "the model has no such voice";
    warnings.push(`${heard.join(" ")} is not followed, ${why}: ${chosen.name} speaks (${sound(chosen)})`);
  }
  const pace = instructed.pace ?? described.pace ?? 1;
  return { voice: chosen, speed: Math.min(Math.max(speed * pace, SPEED.min), SPEED.max), warnings };
}

function isNamed({ name, aliases }: PresetVoice, wanted: string): boolean {
  return [name, ...aliases].some((known) => known.toLowerCase() === wanted.toLowerCase());
}

function closestVoice(presets: readonly PresetVoice[], { gender, accent, closest }: VoiceWish): PresetVoice {
  for (const name of closest) {
    const named = presets.find((preset) => isNamed(preset, name));
    if (named) return named;
  }
  const fits = (preset: PresetVoice) =>
    (gender === undefined || preset.gender === gender ? 2 : 0) +
    (accent === undefined || preset.accent === accent ? 1 : 0);
  return presets.reduce((best, preset) => fits(preset) > fits(best) ? preset : best);
}

/** A single word that does not describe a voice is probably the name of one. */
function unfollowed(
  field: "voice" | "instructions",
  { gender, accent, pace, others }: VoiceDescription,
  text: string,
  presets: readonly PresetVoice[],
): string[] {
  if (others.length === 0) return [];
  const nothing = gender === undefined && accent === undefined && pace === undefined;
  if (field === "voice" && nothing && !/\s/.test(text.trim())) {
    const names = presets.slice(0, 12).map(({ name }) => name).join(", ");
    return [`the model has no voice "${shortened(text.trim())}", only ${names}${presets.length > 12 ? ", ..." : ""}`];
  }
  return [`of ${field} only gender, accent and pace are followed, not: ${others.map(shortened).join(", ")}`];
}

function shortened(word: string): string {
  return word.length > 40 ? `${[...word].slice(0, 40).join("")}...` : word;
}

function sound({ gender, accent }: PresetVoice): string {
  return `${gender}, ${accent}`;
}
