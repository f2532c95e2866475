/**
 * Images that messages reference.
 *
 * @module
 */
import { isPathText, MAX_PATH_BYTES, PATH_EXPECTED } from "../../errors/path_text.ts";
import type { ImagePlace } from "./chat_request.ts";

/** Longest file URL: a path whose bytes are all escaped. */
const MAX_URL = 3 * MAX_PATH_BYTES + 32;

/** Longest beginning of a data URL, up to its comma. */
const MAX_DATA_HEAD = 256;

/**
 * Parses the location of an image: a base64 data URL, a local `file:` URL, or a local path.
 *
 * @returns The reference, or what was expected instead. Nothing is fetched, opened or decoded.
 */
export function readImagePlace(source: string): ImagePlace | string {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(source)?.[1].toLowerCase();
  if (scheme === "data") return readDataUrl(source);
  if (source === "" || source.includes("\0")) return "expected a path, a file URL or a data URL";
  if (scheme === undefined) return isPathText(source) ? { kind: "path", path: source } : PATH_EXPECTED;
  if (scheme !== "file") return "expected a path, a file URL or a data URL: remote images are not fetched";
  if (source.length > MAX_URL) return PATH_EXPECTED;
  if (!/^file:(\/\/(localhost)?)?\/(?!\/)/i.test(source) || !URL.canParse(source)) {
    return "expected a file URL of this machine, such as file:///tmp/image.png";
  }
  return { kind: "file_url", url: source };
}

function readDataUrl(source: string): ImagePlace | string {
  const comma = source.slice(0, MAX_DATA_HEAD).indexOf(",");
  const [mediaType, ...parameters] = source.slice("data:".length, Math.max(comma, 0)).toLowerCase().split(";");
  if (comma < 0 || !/^image\/[a-z0-9.+-]+$/.test(mediaType)) return "expected a data URL of an image";
  if (parameters.at(-1)?.trim() !== "base64") return "expected a data URL in base64";
  const base64 = source.slice(comma + 1);
  if (base64.length === 0 || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    return "expected padded base64 after the comma";
  }
  return { kind: "data", mediaType, base64 };
}
