import { parseSource } from "../../lib/json/json_source.ts";
import type { Manifest } from "../../lib/manifest/mod.ts";
import { validateSource } from "../../lib/manifest/validate/validate_manifest.ts";
import type { FoundFiles } from "../../lib/platform/files/find_files.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import type { Terminal } from "../../lib/platform/terminal/terminal.ts";
import { humanFindings } from "./manifest_human.ts";

/** The environment of the manifest commands; tests can replace all of it. */
export interface ManifestHost {
  readonly terminal: Pick<Terminal, "out" | "err">;
  /** The bytes of a file; undefined when it does not exist. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** Reads standard input. */
  readonly input: () => Promise<Uint8Array>;
  /** Writes text to the output unchanged. */
  readonly print: (text: string) => void;
  /** Expands an argument into files. */
  readonly find: (word: string) => Promise<FoundFiles>;
}

/** Stands for standard input. */
export const INPUT = "-";

/** @throws when the file does not exist or cannot be read */
export async function readBytes(path: string, verb: string, host: ManifestHost): Promise<Uint8Array> {
  const bytes = path === INPUT ? await host.input() : await host.read(path);
  if (bytes) return bytes;
  throw new UsageError(`Cannot ${verb} ${path}: the file does not exist, expected a manifest or - for standard input`);
}

/** A manifest; undefined when it does not conform, after its findings were printed. */
export async function readManifest(path: string, verb: string, host: ManifestHost): Promise<Manifest | undefined> {
  const parsed = parseSource(await readBytes(path, verb, host));
  const { valid, findings, omitted } = validateSource(parsed, {});
  if (valid && !parsed.problem) return parsed.value as Manifest;
  for (const line of humanFindings({ file: path, valid, findings, omitted, text: parsed.text })) {
    host.terminal.err(line);
  }
  host.terminal.err(
    `Cannot ${verb} ${path}: it does not conform, expected a manifest that svc manifest validate accepts`,
  );
  return undefined;
}
