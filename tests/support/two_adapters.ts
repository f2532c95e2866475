/**
 * Two GPUs of software, so that choosing between adapters can be tried: SwiftShader, and a copy of it under another name.
 *
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { softwareAdapterEnv } from "../../scripts/software_adapter.mjs";

/** Name of the copy; it has as many letters as the one that it takes the place of. */
export const SECOND_ADAPTER = "Second Render Card";

/** The environment of a process that finds both adapters; undefined where SwiftShader does not run. */
export function twoAdaptersEnv(folder: string): Record<string, string> | undefined {
  const found = softwareAdapterEnv();
  if (!found.ok) return undefined;
  const copy = copySwiftShader(folder, found.env.VK_DRIVER_FILES);
  const manifests = `${found.env.VK_DRIVER_FILES}:${copy}`;
  return { ...found.env, VK_DRIVER_FILES: manifests, VK_ICD_FILENAMES: manifests };
}

/** Copies SwiftShader under the second name; returns the path of its manifest, which names the library by its path. */
export function copySwiftShader(folder: string, manifest: string, name = "vk_swiftshader_icd.json"): string {
  mkdirSync(folder, { recursive: true });
  const library = readFileSync(join(manifest, "../libvk_swiftshader.so"));
  const at = library.indexOf("SwiftShader Device");
  library.write(SECOND_ADAPTER, at, "latin1");
  const path = join(folder, "libsecond.so");
  writeFileSync(path, library);
  const written = join(folder, name);
  const ICD = { library_path: path, api_version: "1.0.5" };
  writeFileSync(written, JSON.stringify({ file_format_version: "1.0.0", ICD }));
  return written;
}
