import { canonicalJson, type Manifest, manifestSchema, nodeTypes, pinManifest } from "../../lib/manifest/mod.ts";
import { mergeCatalog } from "../../lib/manifest/merge_catalog.ts";
import { readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { type ManifestHost, readManifest } from "./manifest_host.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";

/** Runs `svc manifest schema`. */
export async function manifestSchemaCommand(args: readonly string[], host: ManifestHost): Promise<number> {
  const help = "Print the JSON Schema (draft 2020-12) of provider manifests\n\nUsage: svc manifest schema";
  const files = readFiles("svc manifest schema", help, "no file", 0, 0, args, host);
  if (files) host.terminal.out(JSON.stringify(manifestSchema(), null, 2));
  return await Promise.resolve(0);
}

/** Runs `svc manifest types`. */
export async function manifestTypes(args: readonly string[], host: ManifestHost): Promise<number> {
  const help = `Print a TypeScript module with the types of the arguments and results of a manifest's nodes

Usage: svc manifest types FILE | -`;
  return await forEach("svc manifest types", help, 1, args, host, nodeTypes);
}

/** Runs `svc manifest canonical`. */
export async function manifestCanonical(args: readonly string[], host: ManifestHost): Promise<number> {
  const help = "Print the canonical form (RFC 8785) of a manifest\n\nUsage: svc manifest canonical FILE | -";
  return await forEach("svc manifest canonical", help, 1, args, host, canonicalJson);
}

/** Runs `svc manifest pin`. */
export async function manifestPin(args: readonly string[], host: ManifestHost): Promise<number> {
  const help = `Print the SHA-256 of the canonical form of manifests, which depends on their content only

Usage: svc manifest pin FILE... | -`;
  const line = async (manifest: Manifest, file: string) => `${await pinManifest(manifest)}  ${printable(file)}\n`;
  return await forEach("svc manifest pin", help, Infinity, args, host, line);
}

/** Runs `svc manifest catalog`. */
export async function manifestCatalog(args: readonly string[], host: ManifestHost): Promise<number> {
  const help = `Merge the nodes of several providers into one catalog, as JSON

Of nodes with the same kind the first is taken, and the collision reported.

Usage: svc manifest catalog FILE...

Exit status: 0 no collisions, 1 some or a manifest that does not conform, 2 wrong usage or a file that cannot be read.`;
  const files = readFiles("svc manifest catalog", help, "at least one file", 1, Infinity, args, host);
  if (files === undefined) return 0;
  const manifests: Manifest[] = [];
  for (const file of files) {
    const manifest = await readManifest(file, "merge", host);
    if (manifest === undefined) return 1;
    manifests.push(manifest);
  }
  const catalog = await mergeCatalog(manifests);
  host.terminal.out(JSON.stringify(catalog, null, 2));
  for (const { type, name, providers } of catalog.collisions) {
    const claims = providers.map(({ id, version }) => `${id} ${version}`).join(", ");
    host.terminal.err(printable(`The ${type} ${name} is claimed by ${claims}: the catalog has the first one`));
  }
  return catalog.collisions.length === 0 ? 0 : 1;
}

async function forEach(
  command: string,
  help: string,
  max: number,
  args: readonly string[],
  host: ManifestHost,
  print: (manifest: Manifest, file: string) => string | Promise<string>,
): Promise<number> {
  const files = readFiles(command, help, max === 1 ? "one file" : "at least one file", 1, max, args, host) ?? [];
  let status = 0;
  for (const file of files) {
    const manifest = await readManifest(file, "read", host);
    if (manifest === undefined) status = 1;
    else host.print(await print(manifest, file));
  }
  return status;
}

/** The files of a command without options; undefined after its help was shown. */
function readFiles(
  command: string,
  help: string,
  expected: string,
  min: number,
  max: number,
  args: readonly string[],
  host: ManifestHost,
): readonly string[] | undefined {
  const { flags, words } = readFlagsAndWords(command, args, { help: { kind: "boolean", help: "show this help" } });
  if (flags.help) {
    host.terminal.out(help);
    return undefined;
  }
  if (words.length >= min && words.length <= max) return words;
  throw new UsageError(`Cannot run ${command}: ${words.length} files given, expected ${expected}`);
}
