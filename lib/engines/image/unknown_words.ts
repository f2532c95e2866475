import type { ImageModelProfile } from "../contract/model_profile.ts";

/** Most words that a warning names. */
const NAMED = 5;

/** Says which words of a prompt are not of the captions of a small model, in ASCII; nothing where all are. */
export function unknownWords({ madeFor }: ImageModelProfile, prompt: string): readonly string[] {
  if (!madeFor) return [];
  const known = new Set(madeFor.words);
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  const unknown = [...new Set(words.filter((word) => !known.has(word)))];
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, NAMED).map((word) => /^[a-z]+$/.test(word) ? `"${word}"` : "a word in another script");
  const others = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : "";
  return [
    `The model was made for ${madeFor.what} only, and has no word for ${[...new Set(named)].join(", ")}${others}`,
  ];
}
