import { showBytes } from "../../lib/errors/show_bytes.ts";
import { show } from "../../lib/errors/show.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { printable } from "../../lib/app/manifest_terminal/manifest_report.ts";
import { openHub } from "../../lib/app/model_store/hub.ts";
import { HUB } from "../../lib/app/model_store/pull_by_name.ts";
import { peakBytes, planWorldPull, type WorldPullPlan } from "../../lib/app/model_store/worlds/plan_world_pull.ts";
import { pulledWorld } from "../../lib/app/model_store/worlds/pulled_worlds.ts";
import { pullWorld } from "../../lib/app/model_store/worlds/pull_world.ts";
import type { CatalogWorld } from "../../lib/app/model_store/worlds/world_catalog.ts";
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

const TYPES = ["q8", "q4", "f16", "f32"] as const;

/** Runs `svc model pull` for a published world. */
export async function modelPullWorld(world: CatalogWorld, flags: WorldPullFlags, host: ModelHost): Promise<number> {
  const { terminal, store, signal, wait } = host;
  const type = TYPES.find((one) => one === (flags.quantization ?? "q8"));
  if (!type || flags.revision !== undefined || flags.id !== undefined) {
    const problem = type ? "it takes neither --revision nor --id" : `--quantization is ${show(flags.quantization!)}`;
    throw new UsageError(`Cannot pull ${world.id}: ${problem}, expected --quantization ${TYPES.join(", ")} or nothing`);
  }
  const there = flags.force ? undefined : await pulledWorld(store.layout, world.id);
  if (there) {
    terminal.out(`${world.id} is in ${there.folder} already, use --force to pull it again`);
    return 0;
  }
  const hub = openHub({ url: terminal.environment("HF_ENDPOINT") ?? HUB, token: terminal.environment("HF_TOKEN") });
  const plan = await planWorldPull(hub, world, type, signal);
  for (const line of planLines(plan)) terminal.err(printable(line));
  if (!flags["accept-model-license"]) checkLicenses(plan, hub.url);
  const view = host.progress();
  try {
    const { folder, bytes } = await pullWorld(store, hub, plan, { onTransfer: view.update, signal, wait });
    view.stop();
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

function checkLicenses({ repositories, world }: WorldPullPlan, hubUrl: string): void {
  const asking = repositories.filter(({ asks }) => asks);
  if (asking.length === 0) return;
  const shown = asking.map(({ repository: { name, gated }, license }) => {
    const what = gated ? "is gated" : license ? `has the license ${show(license)}` : "has an unknown license";
    return `${name} ${what} (${hubUrl}/${name})`;
  });
  throw new SvcError(
    "license_not_accepted",
    `Cannot pull ${world.id}: ${shown.join(", ")}, read the terms there and run the command again with ` +
      "--accept-model-license",
  );
}
