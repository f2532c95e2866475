import { readDatasetFlags, rolloutFlags } from "../batches/dataset_flags.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const FLAGS = {
  ...rolloutFlags,
  yes: { kind: "boolean", help: "do it: what waits or runs ends, and results are forgotten" },
} as const;

/** `svc rollout delete`. */
export async function rolloutDelete(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc rollout delete", args, FLAGS);
  if (flags.help) {
    const about = "Delete a dataset, whatever its rollouts do";
    print(`${about}\n\nUsage: svc rollout delete --dataset NAME --yes [flags]\n\n${flagsHelp(FLAGS)}\n`);
    return 0;
  }
  const dataset = readDatasetFlags("svc rollout delete", flags);
  if (!flags.yes) throw new UsageError("Cannot delete a dataset: its results would be forgotten, expected --yes");
  const { removed } = await dataset.remove();
  const text = `${removed} rollouts of dataset ${flags.dataset} are deleted\n`;
  print(flags.json ? `${JSON.stringify({ removed })}\n` : text);
  return 0;
}
