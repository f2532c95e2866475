import { readWorlds } from "./manage_fleet.ts";
import { type FlagTable, readFlagsAndWords } from "../../lib/platform/terminal/flags.ts";
import { runCluster, SHARED } from "./run_cluster.ts";

const WORLDS = {
  ...SHARED,
  limit: { kind: "integer", value: "N", min: 1, max: 1000, default: 100, help: "worlds to list" },
  after: { kind: "string", value: "POSITION", help: "list those behind this one, which the list before names" },
} as const satisfies FlagTable;

/** `svc cluster worlds`. */
export async function clusterWorlds(args: readonly string[]): Promise<number> {
  const { flags } = readFlagsAndWords("svc cluster worlds", args, WORLDS);
  const about = "List the worlds of a fleet, the oldest first";
  return await runCluster(
    "worlds",
    about,
    args,
    async (broker, json) => {
      const page = await readWorlds(broker, flags);
      const rows = page.worlds.map(({ world_id, phase, pool, owner, name, reason }) =>
        `${world_id}  ${phase}  pool ${pool}  ${owner?.worker ?? "-"}  ${name ?? reason ?? ""}`.trimEnd() + "\n"
      );
      const rest = page.next_after === undefined ? "" : `There are more: --after ${page.next_after}\n`;
      return json ? page : rows.join("") + rest;
    },
    "",
    WORLDS,
  );
}
