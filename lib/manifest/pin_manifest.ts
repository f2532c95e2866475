/**
 * Pins the exact content of a manifest.
 *
 * @module
 */
import { canonicalJson } from "../json/canonical_json.ts";
import type { Manifest } from "./manifest.ts";

/**
 * The pin of a manifest: SHA-256 of its canonical form in 64 hexadecimal digits. It is independent of whitespace, the
 * order of members and the notation of numbers and strings, and changes with anything else.
 *
 * @throws {TypeError} when the manifest has text that the canonical form cannot represent (see {@linkcode
 * canonicalJson})
 * @example
 * ```ts
 * import { parseManifest, pinManifest } from "@svc/sdk/manifest";
 *
 * const pin = async (path: string) => await pinManifest(parseManifest(await Deno.readFile(path)));
 * ```
 */
export async function pinManifest(manifest: Manifest): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(manifest)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
