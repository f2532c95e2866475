/**
 * Files of a model in memory.
 *
 * @module
 */

/** Contents by paths below the folder of a model, with `/`. */
export type ModelFiles = Readonly<Record<string, Uint8Array>>;

/** A text in UTF-8. */
export function textFile(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A value as JSON, for people to read. */
export function jsonFile(value: unknown): Uint8Array {
  return textFile(`${JSON.stringify(value, null, 2)}\n`);
}
