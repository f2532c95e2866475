import { type Collected, collectFleet } from "./collect_fleet.ts";
import { type FlagTable, readFlagsAndWords } from "../../lib/platform/terminal/flags.ts";
import { runCluster, SHARED } from "./run_cluster.ts";

const COLLECT = {
  ...SHARED,
  blobs: { kind: "string", value: "DIR", help: "the folder that workers share, as theirs; else the NATS object store" },
  "grace-hours": {
    kind: "integer",
    value: "N",
    min: 1,
    max: 10_000,
    default: 24,
    help: "leave what is younger, in use or not",
  },
  "dry-run": { kind: "boolean", help: "only count" },
} as const satisfies FlagTable;

/** `svc cluster collect`. */
export async function clusterCollect(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc cluster collect", args, COLLECT);
  return await runCluster(
    "collect",
    "Remove pictures, videos and states that no world and no rollout of a fleet has any more",
    args,
    async (broker, json) => {
      const grace = flags["grace-hours"] * 3_600_000;
      const found = await collectFleet({ broker, blobs: flags.blobs, grace, dryRun: flags["dry-run"] });
      const verb = flags["dry-run"] ? "Would remove" : "Removed";
      const line = (what: string, { removed, blobs, bytes }: Collected): string =>
        `${verb} ${removed} of ${blobs} files of ${what}, ${(bytes / 2 ** 20).toFixed(1)} MB\n`;
      return json ? found : line("worlds", found.worlds) + line("rollouts", found.rollouts);
    },
    "",
    COLLECT,
  );
}
