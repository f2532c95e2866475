import { parseSource } from "../../lib/manifest/json/json_source.ts";
import type { Manifest } from "../../lib/manifest/mod.ts";
import { validateSource } from "../../lib/manifest/validate/validate_manifest_text.ts";
import type { FoundFiles } from "../../lib/platform/files/find_files.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import type { Terminal } from "../../lib/platform/terminal/terminal.ts";
import { humanFindings } from "./manifest_human.ts";

/** What surrounds the manifest commands; all of it can be replaced by a test. */
export interface ManifestHost {
  readonly terminal: Pick<Terminal, "out" | "err">;
  /** A file's bytes; undefined when there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** The standard input. */
  readonly input: () => Promise<Uint8Array>;
  /** Writes text to the output as it is. */
  readonly print: (text: string) => void;
  /** The files that a word stands for. */
  readonly find: (word: string) => Promise<FoundFiles>;
}

/** Stands for the standard input. */
export const INPUT = "-";

/** @throws when there is no such file, or it cannot be read */
export async function readBytes(path: string, verb: string, host: ManifestHost): Promise<Uint8Array> {
  const bytes = path === INPUT ? await host.input() : await host.read(path);
  if (bytes) return bytes;
  throw new UsageError(`Cannot ${verb} ${path}: there is no such file, expected a manifest or - for the input`);
}

/** A manifest; undefined, after its findings were told, when it does not conform. */
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
