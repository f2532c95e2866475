/**
 * Formats values for error messages.
 *
 * @module
 */

/** Longest text of a value in a sentence, in UTF-16 units. */
const MAX_SHOWN = 80;

/**
 * A value as shown in an error sentence: JSON, shortened. JSON itself has no word for infinite numbers. The work
 * does not depend on the size of the value: what would not be shown is not looked at.
 */
export function show(value: unknown): string {
  const text = typeof value === "number" ? String(value) : jsonOf(value, MAX_SHOWN + 1) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
}

/** The JSON of a value, or at least its first `room` units; undefined for what JSON leaves out. */
function jsonOf(value: unknown, room: number): string | undefined {
  if (typeof value === "string") return JSON.stringify(value.length > room ? value.slice(0, room) : value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("toJSON" in value && typeof value.toJSON === "function") return jsonOf(value.toJSON(), room);
  return Array.isArray(value) ? arrayJson(value, room) : objectJson(value as Record<string, unknown>, room);
}

function arrayJson(items: readonly unknown[], room: number): string {
  let text = "[";
  for (let i = 0; i < items.length && text.length < room; i++) {
    text += `${i ? "," : ""}${jsonOf(items[i], room - text.length) ?? "null"}`;
  }
  return `${text}]`;
}

function objectJson(members: Readonly<Record<string, unknown>>, room: number): string {
  let text = "{";
  for (const name in members) {
    if (text.length >= room) break;
    const json = jsonOf(members[name], room - text.length);
    if (json !== undefined) text += `${text.length > 1 ? "," : ""}${jsonOf(name, room)}:${json}`;
  }
  return `${text}}`;
}

/** Such as `3.5 GiB`, rounded up so that a reported shortfall is always enough. */
export function showBytes(bytes: number): string {
  const [size, unit] = bytes >= 2 ** 30
    ? [bytes / 2 ** 30, "GiB"]
    : bytes >= 2 ** 20
    ? [bytes / 2 ** 20, "MiB"]
    : [bytes / 2 ** 10, "KiB"];
  return `${Math.ceil(size * 10) / 10} ${unit}`;
}

/** Such as `40 s` or `3 min`. */
export function showSeconds(seconds: number): string {
  return seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.ceil(seconds)} s`;
}

/** A text whose other characters are escaped as in JSON, on one line. */
export function asciiText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
