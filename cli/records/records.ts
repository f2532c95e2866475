import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { runCommand } from "../run_command.ts";
import { listRuns, type RunEntry, type RunList } from "../../lib/app/run_records/list_runs.ts";
import { resolve } from "../../lib/platform/files/paths.ts";
import { flagsHelp, type FlagTable, readFlags, UsageError } from "../../lib/platform/terminal/flags.ts";

/** `svc records`: the records that a model API server has kept. */
export function records(args: readonly string[]): Promise<number> {
  const help = "Records of image and transcription operations";
  const commands = { list: { help: "list records, newest first", run: recordsList } };
  return runCommand({ name: "svc records", help, commands, version: VERSION, print }, args);
}

const flags = {
  root: { kind: "string", value: "DIR", help: "folder of the records, as given to svc api serve" },
  "max-depth": { kind: "integer", value: "N", min: 0, max: 16, default: 4, help: "how many folders deep to look" },
  limit: { kind: "integer", value: "N", min: 1, max: 500, default: 50, help: "maximum number of records to list" },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const NAME = "svc records list";

const HELP = `List records of image and transcription operations, the newest first

Usage: ${NAME} --root DIR [options]

A server keeps them with --image-run-records and --transcription-run-records.

Options:
${flagsHelp(flags)}
`;

/** `svc records list`. */
async function recordsList(args: readonly string[]): Promise<number> {
  const given = readFlags(NAME, args, flags);
  if (given.help) {
    print(HELP);
    return 0;
  }
  if (given.root === undefined) throw new UsageError(`Cannot run ${NAME}: --root is missing, expected --root DIR`);
  const root = resolve(given.root);
  const list = await listRuns(root, { maxDepth: given["max-depth"], limit: given.limit }).catch((error) => {
    const { code, message } = error as { code?: string; message: string };
    const reason = code === "ENOENT" ? "there is no such folder" : code === "ENOTDIR" ? "it is a file" : message;
    throw new UsageError(`Cannot list the records in ${root}: ${reason}, expected a folder of run records`);
  });
  print(given.json ? runListJson(list, { version: VERSION, now: new Date() }) : runListLines(list));
  return 0;
}

/** The output of `svc records list --json`. */
export function runListJson(list: RunList, { version, now }: { readonly version: string; readonly now: Date }): string {
  const envelope = {
    schema_version: 1,
    svc_version: version,
    command: "records list",
    status: "ok",
    created_at: now.toISOString(),
    result: list,
  };
  return `${JSON.stringify(envelope, undefined, 2)}\n`;
}

/** The output of `svc records list`. */
export function runListLines({ root, entries, entry_count: count }: RunList): string {
  if (count === 0) return `No records in ${root}\n`;
  const rows = entries.map((entry) => [timeOf(entry), entry.kind, entry.state, entry.id, entry.summary].map(printable));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ").trimEnd());
  const others = count - entries.length;
  return `${[...lines, ...others > 0 ? [`and ${others} older ones, which --limit leaves out`] : []].join("\n")}\n`;
}

function timeOf({ created_at: time = "" }: RunEntry): string {
  return time.slice(0, 19).replace("T", " ");
}
