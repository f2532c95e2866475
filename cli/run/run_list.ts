import { listRuns } from "../../lib/app/run_records/list_runs.ts";
import { runListJson, runListLines } from "./run_report.ts";
import { resolve } from "../../lib/platform/files/paths.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, type FlagTable, readFlags, UsageError } from "../../lib/platform/terminal/flags.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";

const flags = {
  root: { kind: "string", value: "DIR", help: "folder of the records, as given to svc api serve" },
  "max-depth": { kind: "integer", value: "N", min: 0, max: 16, default: 4, help: "how many folders deep to look" },
  limit: { kind: "integer", value: "N", min: 1, max: 500, default: 50, help: "most records to list" },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const NAME = "svc run list";

const HELP = `List records of image and transcription operations, the newest first

Usage: ${NAME} --root DIR [options]

A server keeps them with --image-run-records and --transcription-run-records.

Options:
${flagsHelp(flags)}
`;

/** `svc run list`. */
export async function runList(args: readonly string[]): Promise<number> {
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
