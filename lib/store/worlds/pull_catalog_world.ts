/**
 * Pulls a published world by its name.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { optionError } from "../../errors/option_error.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { Hub } from "../hub.ts";
import type { DownloadOptions } from "../download_file.ts";
import type { ModelStore } from "../model_store.ts";
import { planWorldPull, pullWorld, type WorldPullPlan } from "./pull_world.ts";
import { type CatalogWorld, type PulledWorld, pulledWorld } from "./world_catalog.ts";

const TYPES = ["q8", "q4", "f16", "f32"] as const;

/** How a world is to be pulled. */
export interface CatalogWorldOptions {
  /** What its weights are converted to: `q8`, the default, `q4`, `f16` or `f32`. */
  readonly quantization?: string | undefined;
  readonly revision?: string | undefined;
  readonly id?: string | undefined;
  readonly force?: boolean | undefined;
  readonly acceptLicense?: boolean | undefined;
}

/** What the pull works with. */
export interface CatalogWorldTools extends DownloadOptions {
  readonly store: ModelStore;
  readonly openHub: () => Hub;
  /** Called once it is known what will be downloaded. */
  readonly onPlan?: ((plan: WorldPullPlan) => void) | undefined;
  /** What an invalid choice is thrown as; a RangeError by default. */
  readonly refuse?: ((problem: string) => Error) | undefined;
}

/**
 * Pulls the world unless it is there.
 *
 * @throws {SvcError} `license_not_accepted`, and what `pullWorld` throws.
 */
export async function pullCatalogWorld(
  world: CatalogWorld,
  { quantization = "q8", revision, id, force = false, acceptLicense = false }: CatalogWorldOptions,
  { store, openHub, onPlan, refuse = invalid, ...download }: CatalogWorldTools,
): Promise<{ readonly world: PulledWorld; readonly isNew: boolean }> {
  const type = TYPES.find((one) => one === quantization);
  if (!type || revision !== undefined || id !== undefined) {
    const problem = type ? "it takes neither a revision nor an id" : `the quantization is ${show(quantization)}`;
    throw refuse(`Cannot pull ${world.id}: ${problem}, expected the quantization ${TYPES.join(", ")} or nothing`);
  }
  const there = force ? undefined : await pulledWorld(store.layout, world.id);
  if (there) return { world: there, isNew: false };
  const hub = openHub();
  const plan = await planWorldPull(hub, world, type, download.signal);
  onPlan?.(plan);
  if (!acceptLicense) checkLicenses(plan, hub.url);
  return { world: await pullWorld(store, hub, plan, download), isNew: true };
}

function invalid(problem: string): Error {
  return new RangeError(problem);
}

function checkLicenses({ repositories, world }: WorldPullPlan, hubUrl: string): void {
  const asking = repositories.filter(({ asks }) => asks);
  if (asking.length === 0) return;
  const shown = asking.map(({ repository: { name, gated }, license }) => {
    const what = gated ? "is gated" : license ? `has the license ${show(license)}` : "has an unknown license";
    return `${name} ${what} (${hubUrl}/${name})`;
  });
  throw optionError(
    (name) =>
      `Cannot pull ${world.id}: ${shown.join(", ")}, read the terms there and try again with ${name("acceptLicense")}`,
    (message) => new SvcError("license_not_accepted", message),
  );
}
