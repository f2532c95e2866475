import { fetchDataset } from "../batches/fetch_dataset.ts";
import { readDatasetFlags, rolloutFlags } from "../batches/dataset_flags.ts";
import { submitFile } from "../batches/submit_file.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const SUBMIT = {
  ...rolloutFlags,
  pool: { kind: "string", value: "NAME", help: "workers that shall make them (default: the gateway's)" },
} as const;
const FETCH = {
  ...rolloutFlags,
  output: { kind: "string", short: "o", value: "DIR", help: "folder for the files (default: the dataset's name)" },
} as const;
/** `svc rollout submit`. */
export async function rolloutSubmit(args: readonly string[]): Promise<number> {
  const { flags, words } = readFlagsAndWords("svc rollout submit", args, SUBMIT);
  if (flags.help) {
    return help("submit", "Submit rollouts, one JSON object a line; again, only what is missing", "FILE ");
  }
  if (words.length !== 1) throw new UsageError("Cannot run svc rollout submit: expected one file of specs");
  const { specs, added } = await submitFile(readDatasetFlags("svc rollout submit", flags), words[0], flags.pool);
  print(flags.json ? json({ specs, added }) : `${added} of ${specs} rollouts are new in dataset ${flags.dataset}\n`);
  return 0;
}

/** `svc rollout status`; 1 when some have failed. */
export async function rolloutStatus(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc rollout status", args, rolloutFlags);
  if (flags.help) return help("status", "Show how the rollouts of a dataset stand");
  const status = await readDatasetFlags("svc rollout status", flags).status();
  const { rollouts, waiting, running, done, failed, failures } = status;
  const named = failures.map(({ item, reason }) => `${item}  failed  ${reason}\n`).join("");
  const counts = `${done} done, ${running} running, ${waiting} waiting, ${failed} failed`;
  print(flags.json ? json(status) : `${rollouts} rollouts: ${counts}\n${named}`);
  return failed > 0 ? 1 : 0;
}

/** `svc rollout fetch`; 1 when some have failed. */
export async function rolloutFetch(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc rollout fetch", args, FETCH);
  if (flags.help) return help("fetch", "Fetch the videos and last frames that are done; again, only what is missing");
  const dataset = readDatasetFlags("svc rollout fetch", flags);
  const folder = flags.output ?? flags.dataset!;
  const found = await fetchDataset(dataset, folder);
  const named = found.failures.map(({ item, reason }) => `${item}  failed  ${reason}\n`).join("");
  const text = `${found.done} rollouts are in ${folder}, ${found.fetched} files of them are new\n${named}`;
  print(flags.json ? json(found) : text);
  return found.failed > 0 ? 1 : 0;
}

function json(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function help(word: "submit" | "status" | "fetch", about: string, usage = ""): number {
  const flags = flagsHelp({ submit: SUBMIT, status: rolloutFlags, fetch: FETCH }[word]);
  print(`${about}\n\nUsage: svc rollout ${word} ${usage}--dataset NAME [flags]\n\n${flags}\n`);
  return 0;
}
