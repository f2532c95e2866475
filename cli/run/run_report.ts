/**
 * Lists of records for people and programs.
 *
 * @module
 */
import type { RunEntry, RunList } from "../../lib/app/run_records/list_runs.ts";

/** The output of `svc run list --json`. */
export function runListJson(list: RunList, { version, now }: { readonly version: string; readonly now: Date }): string {
  const envelope = {
    schema_version: 1,
    svc_version: version,
    command: "run list",
    status: "ok",
    created_at: now.toISOString(),
    result: list,
  };
  return `${JSON.stringify(envelope, undefined, 2)}\n`;
}

/** The output of `svc run list`. */
export function runListLines({ root, entries, entry_count: count }: RunList): string {
  if (count === 0) return `No records in ${root}\n`;
  const rows = entries.map((entry) => [timeOf(entry), entry.kind, entry.state, entry.id, entry.summary].map(plain));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ").trimEnd());
  const others = count - entries.length;
  return `${[...lines, ...others > 0 ? [`and ${others} older ones, which --limit leaves out`] : []].join("\n")}\n`;
}

function timeOf({ created_at: time = "" }: RunEntry): string {
  return time.slice(0, 19).replace("T", " ");
}

/** Without what a terminal would act on: a record quotes what a client has sent. */
function plain(text: string): string {
  // deno-lint-ignore no-control-regex -- these characters are what is taken out
  return text.replace(/[\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ");
}
