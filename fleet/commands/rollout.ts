/**
 * The commands of `svc rollout`: batches of rollouts, which they call datasets.
 *
 * @module
 */
import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import { fetchBatch } from "../batches/fetch_batch.ts";
import { type Batch, submitBatch } from "../batches/submit_batch.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { FLEET_NAME } from "../../servers/flags/fleet_flags.ts";

const SHARED = {
  dataset: { kind: "string", value: "NAME", help: "name of the dataset" },
  url: {
    kind: "string",
    value: "URL",
    default: "http://127.0.0.1:8790",
    help: "gateway of the fleet; SVC_API_KEY is its key",
  },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const;

const SUBMIT = {
  ...SHARED,
  pool: { kind: "string", value: "NAME", help: "pool of workers to use (default: the gateway's)" },
} as const;

const FETCH = {
  ...SHARED,
  output: { kind: "string", short: "o", value: "DIR", help: "folder for the files (default: the dataset's name)" },
} as const;

const DELETE = {
  ...SHARED,
  yes: { kind: "boolean", help: "confirm: rollouts in progress are cancelled and results deleted" },
} as const;

/** `svc rollout submit`. */
export async function rolloutSubmit(args: readonly string[]): Promise<number> {
  const { flags, words } = readFlagsAndWords("svc rollout submit", args, SUBMIT);
  if (flags.help) {
    return help(
      "submit",
      "Submit rollouts, one JSON object per line; repeated, it adds only the missing ones",
      "FILE ",
    );
  }
  if (words.length !== 1) throw new UsageError("Cannot run svc rollout submit: expected one file of specs");
  const { specs, added } = await submitBatch(readBatchFlags("svc rollout submit", flags), words[0], flags.pool);
  print(flags.json ? json({ specs, added }) : `${added} of ${specs} rollouts are new in dataset ${flags.dataset}\n`);
  return 0;
}

/** `svc rollout status`; 1 when some have failed. */
export async function rolloutStatus(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc rollout status", args, SHARED);
  if (flags.help) return help("status", "Show the progress of a dataset");
  const status = await readBatchFlags("svc rollout status", flags).status();
  const { rollouts, waiting, running, done, failed, failures } = status;
  const named = failures.map(({ item, reason }) => `${printable(`${item}  failed  ${reason}`)}\n`).join("");
  const counts = `${done} done, ${running} running, ${waiting} waiting, ${failed} failed`;
  print(flags.json ? json(status) : `${rollouts} rollouts: ${counts}\n${named}`);
  return failed > 0 ? 1 : 0;
}

/** `svc rollout fetch`; 1 when some have failed. */
export async function rolloutFetch(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc rollout fetch", args, FETCH);
  if (flags.help) {
    return help("fetch", "Fetch finished videos and last frames; repeated, it fetches only the missing ones");
  }
  const dataset = readBatchFlags("svc rollout fetch", flags);
  const folder = flags.output ?? flags.dataset!;
  const found = await fetchBatch(dataset, folder);
  const named = found.failures.map(({ item, reason }) => `${printable(`${item}  failed  ${reason}`)}\n`).join("");
  const text = `${found.done} rollouts are in ${folder}, ${found.fetched} files of them are new\n${named}`;
  print(flags.json ? json(found) : text);
  return found.failed > 0 ? 1 : 0;
}

/** `svc rollout delete`. */
export async function rolloutDelete(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc rollout delete", args, DELETE);
  if (flags.help) return help("delete", "Delete a dataset, including rollouts in progress", "", "--yes ");
  const dataset = readBatchFlags("svc rollout delete", flags);
  if (!flags.yes) throw new UsageError("Cannot delete a dataset: its results would be lost, expected --yes");
  const { removed } = await dataset.remove();
  print(flags.json ? json({ removed }) : `${removed} rollouts of dataset ${flags.dataset} are deleted\n`);
  return 0;
}

function json(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function help(word: "submit" | "status" | "fetch" | "delete", about: string, words = "", needed = ""): number {
  const flags = flagsHelp({ submit: SUBMIT, status: SHARED, fetch: FETCH, delete: DELETE }[word]);
  print(`${about}\n\nUsage: svc rollout ${word} ${words}--dataset NAME ${needed}[flags]\n\n${flags}\n`);
  return 0;
}

/**
 * The batch that a command means.
 *
 * @throws {UsageError} for an invalid name or address.
 */
function readBatchFlags(
  command: string,
  { dataset, url }: { readonly dataset: string | undefined; readonly url: string },
  env: Readonly<Record<string, string | undefined>> = thisPlatform().env,
): Batch {
  if (dataset === undefined || !FLEET_NAME.test(dataset)) {
    const found = dataset === undefined ? "--dataset is missing" : `--dataset is "${dataset}"`;
    throw new UsageError(`Cannot run ${command}: ${found}, expected lower-case letters, digits and inner hyphens`);
  }
  if (!(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    throw new UsageError(`Cannot run ${command}: --url is "${url}", expected http://HOST:PORT`);
  }
  const apiKey = env["SVC_API_KEY"]?.trim();
  return new WorldClient(url, apiKey ? { apiKey } : {}).rollouts(dataset);
}
