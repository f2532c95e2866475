import { runManifest } from "../../cli/manifest/manifest.ts";
import type { FoundFiles } from "../../lib/platform/files/find_files.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";

/** A machine with files, to run `svc manifest` on. */
export interface ManifestMachine {
  readonly out: string[];
  readonly err: string[];
  /** Runs a command and returns its exit status, as the program would. */
  readonly run: (...args: string[]) => Promise<number>;
}

/** A machine with these files, where patterns and folders stand for the listed files. */
export function manifestMachine(
  files: Readonly<Record<string, string | Uint8Array>>,
  found: Readonly<Record<string, FoundFiles>> = {},
  input: string = "",
): ManifestMachine {
  const out: string[] = [];
  const err: string[] = [];
  const bytes = (text: string | Uint8Array) => typeof text === "string" ? new TextEncoder().encode(text) : text;
  const host = {
    terminal: { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) },
    print: (text: string) => void out.push(text),
    input: () => Promise.resolve(bytes(input)),
    read: (path: string) => Promise.resolve(Object.hasOwn(files, path) ? bytes(files[path]) : undefined),
    find: (word: string) => Promise.resolve(found[word] ?? { files: [word] }),
  };
  return {
    out,
    err,
    run: async (...args) => {
      try {
        return await runManifest(args, host);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        err.push(error.message);
        return 2;
      }
    },
  };
}
