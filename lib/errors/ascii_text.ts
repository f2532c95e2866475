/**
 * Text for places that take ASCII only, such as headers.
 *
 * @module
 */

/** A text whose other characters are escaped as in JSON, on one line. */
export function asciiText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
