/**
 * Writes docs/errors.md from the tables of lib/errors.
 *
 *   node --import tsx scripts/generate_errors.ts
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { clientErrorTable, errorTable, fieldErrorRow } from "../lib/errors/error_table.ts";
import { type ErrorRow, errorTypes } from "../lib/errors/error_row.ts";

/** What the remedies are on a command line, which the tables of the library do not name. */
const FLAGS: Readonly<Record<string, string>> = {
  license_not_accepted: "--accept-model-license",
  media_expired: "--keep-files",
  model_device_unavailable: "--device cpu",
  model_worker_died: "--journal",
  origin_not_allowed: "--allow-origin",
  path_not_allowed: "--allow-path",
  store_read_only: "--read-only-store",
  too_many_checkpoints: "--max-checkpoints",
  too_many_worlds: "--max-worlds",
  waiting_line_full: "--line",
};

const opening = `<!-- Written by scripts/generate_errors.ts from the tables of lib/errors; do not edit. -->

# Errors

Both servers answer every error with \`{"error": {"message", "type", "code", "param"?}}\`. The message says what was
found, what was expected and how to continue. \`code\` identifies the reason, \`type\` its class, \`param\` the path of the
field that is invalid. In TypeScript the same errors are thrown as \`SvcError\`, whose \`status\` and \`remedy\` come from
this table. A flag in brackets is that of the commands; libraries have the option of the same name.
`;

/** The whole page. */
export function errorPage(): string {
  const rows: [string, ErrorRow][] = [...Object.entries(errorTable), ["invalid_<field>", fieldErrorRow]];
  rows.sort(([a], [b]) => a < b ? -1 : 1);
  const sections = Object.entries(errorTypes).map(([type, { status, meaning }]) => {
    const lines = rows.filter(([, row]) => row.type === type).map(([code, row]) =>
      `| \`${code}\` | ${row.status ?? status} | ${row.meaning} | ${row.remedy}${flagOf(code)} |`
    );
    return `## \`${type}\`\n\n${meaning}\n\n${table(["Code", "Status", "Meaning", "What to do"], lines)}`;
  });
  const clients = Object.entries(clientErrorTable).map(([code, { meaning, remedy }]) =>
    `| \`${code}\` | ${meaning} | ${remedy} |`
  );
  const client =
    `## Codes of clients\n\nClients of the servers report these themselves, where no response has a code.\n\n` +
    table(["Code", "Meaning", "What to do"], clients);
  return [opening, ...sections, client].join("\n");
}

function flagOf(code: string): string {
  return code in FLAGS ? ` (\`${FLAGS[code]}\`)` : "";
}

function table(heads: readonly string[], lines: readonly string[]): string {
  return [`| ${heads.join(" | ")} |`, `|${heads.map(() => " --- ").join("|")}|`, ...lines, ""].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("../docs/errors.md", import.meta.url), errorPage());
}
