/**
 * Values in error sentences.
 *
 * @module
 */

/** A value as it stands in an error sentence: JSON, shortened. JSON itself has no word for infinite numbers. */
export function show(value: unknown): string {
  const text = typeof value === "number" ? String(value) : jsonOf(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** What is nested too deeply to be written stands as its brackets. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return Array.isArray(value) ? "[...]" : "{...}";
  }
}
