import type { ImageModelProfile } from "../contract/model_profile.ts";

/** Most words that a warning names. */
const NAMED = 5;

/** Says which words of a prompt a small model does not know, in ASCII; nothing where it knows all or does not say. */
export function unknownWords({ knows }: ImageModelProfile, prompt: string): readonly string[] {
  if (!knows) return [];
  const known = new Set(knows.words);
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  const unknown = [...new Set(words.filter((word) => !known.has(word)))];
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, NAMED).map((word) => /^[a-z]+$/.test(word) ? `"${word}"` : "a word in another script");
  const others = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : "";
  return [`The model knows ${knows.what} only, and not ${[...new Set(named)].join(", ")}${others}`];
}
