import { showBytes } from "../../lib/errors/show.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import { hubOf } from "../../lib/store/pull_by_name.ts";
import { pullCatalogWorld } from "../../lib/store/worlds/pull_catalog_world.ts";
import { peakBytes, type WorldPullPlan } from "../../lib/store/worlds/pull_world.ts";
import type { CatalogWorld } from "../../lib/store/worlds/world_catalog.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import type { ModelHost } from "./model_host.ts";

/** What the user asks for. */
export interface WorldPullFlags {
  readonly quantization?: string | undefined;
  readonly revision?: string | undefined;
  readonly id?: string | undefined;
  readonly force: boolean;
  readonly "accept-model-license": boolean;
}

/** Runs `svc model pull` for a published world. */
export async function modelPullWorld(world: CatalogWorld, flags: WorldPullFlags, host: ModelHost): Promise<number> {
  const { terminal, store, signal, wait } = host;
  const view = await host.progress();
  try {
    const options = { ...flags, acceptLicense: flags["accept-model-license"] };
    const { world: { folder, bytes }, isNew } = await pullCatalogWorld(world, options, {
      ...{ store, signal, wait, onTransfer: view.update },
      openHub: () => hubOf(terminal.environment),
      onPlan: (plan) => planLines(plan).forEach((line) => terminal.err(printable(line))),
      refuse: (problem) => new UsageError(problem),
    });
    view.stop();
    if (!isNew) {
      terminal.out(`${world.id} is in ${folder} already, use --force to pull it again`);
      return 0;
    }
    const backend = world.kind === "actionworld" ? " --backend actionworld" : "";
    terminal.out(`Pulled ${world.id} (${showBytes(bytes)}) into ${folder}`);
    terminal.out(`Start it with svc world serve${backend} --model ${world.id}`);
    return 0;
  } finally {
    view.stop();
  }
}

function planLines({ repositories, parts, type, world }: WorldPullPlan): string[] {
  const lines = repositories.map(({ repository: { name, commit }, license }) => {
    const bytes = parts.filter(({ from }) => from.name === name).reduce((sum, part) => sum + part.bytes, 0);
    return `${name} at ${commit.slice(0, 12)}, license ${license ?? "unknown"}: ${showBytes(bytes)}`;
  });
  const result = parts.reduce((sum, part) => sum + part.resultBytes, 0);
  const peak = peakBytes(parts, ({ bytes }) => bytes);
  lines.push(`${world.id} as ${type}: about ${showBytes(result)}, at most ${showBytes(peak)} of disk on the way`);
  return lines;
}
