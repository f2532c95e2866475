import { findFiles } from "../../lib/platform/files/find_files.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { readStandardInput, thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { readUserFile } from "../../lib/platform/files/user_files.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import type { ManifestHost } from "./manifest_host.ts";
import {
  manifestCanonical,
  manifestCatalog,
  manifestPin,
  manifestSchemaCommand,
  manifestTypes,
} from "./manifest_print.ts";
import { manifestDiff } from "./manifest_diff.ts";
import { manifestLsp } from "./manifest_lsp.ts";
import { manifestValidate } from "./manifest_validate.ts";
import { runCommand } from "../run_command.ts";

/** `svc manifest`: tools for provider manifests, run on this machine. */
export function manifest(args: readonly string[]): Promise<number> {
  return runManifest(args, {
    terminal: thisTerminal(),
    read: readUserFile,
    input: readStandardInput,
    find: (word) => findFiles(word, ".json"),
    print,
  });
}

/** Runs the command in this machine's environment. */
export function runManifest(args: readonly string[], host: ManifestHost): Promise<number> {
  const command = (help: string, run: (args: readonly string[], host: ManifestHost) => Promise<number>) => ({
    help,
    run: (args: readonly string[]) => run(args, host),
  });
  return runCommand({
    name: "svc manifest",
    help: "Provider manifests",
    version: VERSION,
    print: host.print,
    commands: {
      validate: command("list the errors of manifests with their positions", manifestValidate),
      diff: command("list the changes between two manifests and the version they require", manifestDiff),
      types: command("print TypeScript types of a manifest's nodes", manifestTypes),
      schema: command("print the JSON Schema of manifests", manifestSchemaCommand),
      pin: command("print the SHA-256 of the canonical form", manifestPin),
      canonical: command("print the canonical form", manifestCanonical),
      lsp: command("serve an editor over the Language Server Protocol", manifestLsp),
      catalog: command("merge the nodes of several providers", manifestCatalog),
    },
  }, args);
}
