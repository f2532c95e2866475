/**
 * What pulling a world will do.
 *
 * @module
 */
import type { HubFile, HubRepository } from "../catalog/hub_repository.ts";
import { licenseName, needsAcceptance } from "../catalog/license.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { WeightType } from "../convert/world/stored_form.ts";
import type { Hub } from "../hub.ts";
import type { CatalogWorld, WorldSource } from "./world_catalog.ts";

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
export interface PlannedRepository {
  readonly repository: HubRepository;
  /** Undefined where nobody knows it. */
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
