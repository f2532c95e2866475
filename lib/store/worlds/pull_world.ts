/**
 * Pulls a published world: one part after another is downloaded, converted and removed again.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import { readdir, rename, rm, stat } from "../../platform/files/file_system.ts";
import { replaceFile } from "../../platform/files/atomic_write.ts";
import { diskError } from "../../platform/files/disk_error.ts";
import { freeBytes } from "../../platform/files/find_files.ts";
import { dirname, join } from "../../platform/files/paths.ts";
import { FolderLockedError } from "../../errors/option_error.ts";
import { lockFolder } from "../../platform/locks/lock_file.ts";
import { describeActionworld, describeArworld } from "../../world/plan/described_world.ts";
import { modelRoot } from "../../world/plan/model_root.ts";
import { type ActionworldPart, convertActionworld } from "../convert/world/convert_actionworld.ts";
import { type ArworldPart, convertWorld } from "../convert/world/convert_world.ts";
import { mergeJson, readJsonObject } from "../convert/world/infer_configs.ts";
import { downloadFile, type DownloadOptions, GOES_ON } from "../download_file.ts";
import { checkSpace } from "../free_space.ts";
import type { Hub } from "../hub.ts";
import { makeInStore, type ModelStore } from "../model_store.ts";
import { type CatalogWorld, type PulledWorld, pulledWorld, WORLD_RECORD, type WorldSource } from "./world_catalog.ts";
import { type HubFile, type HubRepository, licenseName, needsAcceptance } from "../catalog/hub_repository.ts";
import type { WeightType } from "../convert/world/stored_form.ts";

/**
 * Puts the world into the store, where it appears whole or not at all. An interrupted pull resumes where it stopped:
 * what has been converted is not downloaded again.
 *
 * @throws {SvcError} `disk_full`, `corrupt_download`, `repository_unavailable`, `checkpoint_refused`,
 * `unsuitable_files`.
 * @throws the reason of `signal` when it aborts.
 */
export async function pullWorld(
  store: ModelStore,
  hub: Hub,
  plan: WorldPullPlan,
  options: DownloadOptions,
): Promise<PulledWorld> {
  store.checkWritable();
  const { id } = plan.world;
  const work = join(store.layout.downloads, `world@${id}`);
  await makeInStore(store.layout, work);
  const lock = await lockFolder(work).catch((error) => {
    if (!(error instanceof FolderLockedError)) throw error;
    const problem = `Cannot pull ${id}: another process is pulling it, wait until it has finished`;
    throw new SvcError("repository_unavailable", problem);
  });
  try {
    await convertParts(hub, plan, work, options);
    await checkWorld(plan, join(work, "world"));
    const pulled = await commitWorld(store, plan, join(work, "world"));
    await rm(work, { recursive: true, force: true });
    return pulled;
  } catch (error) {
    throw diskError(error, `Cannot pull ${id} into ${store.layout.folder}`, GOES_ON);
  } finally {
    await lock.release();
  }
}

async function convertParts(hub: Hub, plan: WorldPullPlan, work: string, options: DownloadOptions): Promise<void> {
  const done = await readJsonObject(join(work, "done.json"));
  const left = plan.parts.filter((part) => done[part.part] !== signOf(part));
  const there = new Map(await Promise.all(left.map(async (part) => [part, await bytesThere(part, work)] as const)));
  const missing = (part: PlannedPart) => Math.max(0, part.bytes - there.get(part)!);
  checkSpace(`pull ${plan.world.id}`, peakBytes(left, missing), await freeBytes(work));
  for (const { repository, beside } of plan.repositories) {
    for (const file of beside) await downloadFile(hub, repository, file, sourceFolder(work, repository.name), options);
  }
  for (const part of left) {
    const source = sourceFolder(work, part.repository);
    for (const file of part.files) await downloadFile(hub, part.from, file, source, options);
    await convertOne(plan, part, source, join(work, "world"), options).catch(async (error) => {
      // What cannot be converted now cannot be converted later either.
      const refused = error instanceof SvcError && ["checkpoint_refused", "unsuitable_files"].includes(error.code);
      if (refused) await removeSource(part, source);
      throw error;
    });
    await mergeJson(join(work, "done.json"), { [part.part]: signOf(part) });
    await removeSource(part, source);
  }
}

async function convertOne(
  { world }: WorldPullPlan,
  { part, files, type }: PlannedPart,
  source: string,
  output: string,
  { onTransfer, signal }: DownloadOptions,
): Promise<void> {
  if (world.kind === "actionworld") {
    const types = { vae: type, transformer: type, "vision encoder": type };
    await convertActionworld({ source, output, types, parts: [part as ActionworldPart] }, onTransfer, signal);
    return;
  }
  const index = files.find(({ path }) => path.endsWith(".index.json"));
  const one = { part: part as ArworldPart, source: join(source, (index ?? files[0]).path), type };
  await convertWorld({ parts: [one], output }, onTransfer, signal);
}

/** Which commit a part was made of, and what it became. */
function signOf({ from, type }: PlannedPart): string {
  return `${from.name}@${from.commit} ${type}`;
}

function sourceFolder(work: string, repository: string): string {
  return join(work, "source", repository.replace("/", "--"));
}

async function bytesThere({ files, repository }: PlannedPart, work: string): Promise<number> {
  const sizes = files.map(({ path }) => stat(join(sourceFolder(work, repository), path)).then((s) => s.size, () => 0));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function removeSource({ files }: PlannedPart, source: string): Promise<void> {
  for (const { path } of files) await rm(join(source, path), { force: true });
}

/** @throws {SvcError} `model_invalid` when the parts do not fit together. */
async function checkWorld({ world }: WorldPullPlan, folder: string): Promise<void> {
  if (world.kind === "actionworld") await describeActionworld(modelRoot(folder, 0));
  else await describeArworld(modelRoot(join(folder, "base"), 0), modelRoot(join(folder, "causal"), 0));
}

async function commitWorld(store: ModelStore, plan: WorldPullPlan, made: string): Promise<PulledWorld> {
  const { id, kind } = plan.world;
  const sources = plan.repositories.map(({ repository, license }) => ({
    ...{ repository: repository.name, revision: repository.commit },
    ...(license === undefined ? {} : { license }),
  }));
  const names = await readdir(made, { recursive: true });
  const sizes = await Promise.all(names.map((name) => stat(join(made, name)).then((s) => s.isFile() ? s.size : 0)));
  const record = { id, kind, sources, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  const text = `${JSON.stringify({ ...record, pulledAt: new Date().toISOString() }, undefined, 2)}\n`;
  await replaceFile(join(made, WORLD_RECORD), new TextEncoder().encode(text));
  const folder = store.layout.world(id);
  await makeInStore(store.layout, dirname(folder));
  await store.exclusively(async () => {
    const old = `${folder}.${crypto.randomUUID()}`;
    const replaced = await rename(folder, old).then(() => true, () => false);
    await rename(made, folder);
    if (replaced) await rm(old, { recursive: true, force: true });
  });
  return (await pulledWorld(store.layout, id))!;
}

/** One part with what is downloaded for it. */
export interface PlannedPart extends WorldSource {
  readonly from: HubRepository;
  readonly files: readonly HubFile[];
  readonly bytes: number;
  readonly type: WeightType;
  /** What is left when the download has been converted and removed, about. */
  readonly resultBytes: number;
}

/** A repository that is downloaded from. */
interface PlannedRepository {
  readonly repository: HubRepository;
  /** Undefined where it is unknown. */
  readonly license: string | undefined;
  readonly asks: boolean;
  readonly beside: readonly HubFile[];
}

/** Everything that a pull will do. */
export interface WorldPullPlan {
  readonly world: CatalogWorld;
  readonly type: WeightType;
  readonly repositories: readonly PlannedRepository[];
  readonly parts: readonly PlannedPart[];
}

/** Bytes of a number: quantised weights have scales, and some tensors beside them stay floats. */
const BYTES: Readonly<Record<WeightType, number>> = { f32: 4, f16: 2.05, q8: 1.25, q4: 0.85 };

/**
 * Asks the hub for the files, without downloading them.
 *
 * @throws {SvcError} `repository_unavailable`, `unsuitable_files` where a repository has no weights of the part.
 */
export async function planWorldPull(
  hub: Hub,
  world: CatalogWorld,
  type: WeightType,
  signal: AbortSignal,
): Promise<WorldPullPlan> {
  const described = new Map<string, HubRepository>();
  for (const { repository, revision } of world.sources) {
    if (!described.has(repository)) described.set(repository, await hub.describe(repository, revision, signal));
  }
  const parts = world.sources.map((source): PlannedPart => {
    const from = described.get(source.repository)!;
    const files = from.files.filter(({ path }) => source.weights.test(path));
    if (!files.some(({ path }) => !path.endsWith(".json"))) {
      throw new SvcError(
        "unsuitable_files",
        `Cannot pull ${world.id}: ${from.name} has no weights of the ${source.part} (${source.weights.source}), ` +
          "expected them in this revision",
      );
    }
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    // An autoencoder is all convolutions, which are not quantised.
    const own = source.part === "vae" && type !== "f32" ? "f16" : type;
    const resultBytes = Math.ceil(bytes / source.bytesEach * BYTES[own]);
    return { ...source, from, files, bytes, type: own, resultBytes };
  });
  const repositories = Array.from(described.values(), (repository): PlannedRepository => {
    const license = repository.license ?? world.licenses[repository.name];
    return {
      repository,
      license: license === undefined ? undefined : licenseName(license),
      asks: needsAcceptance(license, repository.gated),
      beside: repository.files.filter(({ path }) => world.beside.test(path)),
    };
  });
  return { world, type, repositories, parts };
}

/**
 * Bytes of disk that are needed at most at a time: a part is removed as soon as it has been converted.
 *
 * @param missing Bytes of a part that are still to be downloaded.
 */
export function peakBytes(parts: readonly PlannedPart[], missing: (part: PlannedPart) => number): number {
  let [peak, held] = [0, 0];
  for (const part of parts) {
    peak = Math.max(peak, held + missing(part) + part.resultBytes);
    held += part.resultBytes;
  }
  return peak;
}
