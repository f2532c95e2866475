/**
 * JSON pointers (RFC 6901).
 *
 * @module
 */

/** A member's name or an item's index escaped for a pointer, with the leading slash. */
export function pointerToken(key: string | number): string {
  if (typeof key === "number") return `/${key}`;
  return `/${key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key}`;
}

/** The names and indices of a pointer. */
export function pointerKeys(pointer: string): string[] {
  return pointer.split("/").slice(1).map((token) =>
    token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token
  );
}
