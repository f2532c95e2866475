/**
 * Values in error sentences.
 *
 * @module
 */

/** A value as it stands in an error sentence: JSON, shortened. JSON itself has no word for infinite numbers. */
export function show(value: unknown): string {
  const text = typeof value === "number" ? String(value) : JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
