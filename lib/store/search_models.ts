/**
 * Searches for models to pull.
 *
 * @module
 */
import { CATALOG, type CatalogModel } from "./catalog/catalog.ts";
import { SvcError } from "../errors/svc_error.ts";
import { type HubHit, openHub } from "./hub.ts";
import { HUB } from "./pull_by_name.ts";

/** What was found. */
export interface FoundToPull {
  readonly catalog: readonly Pick<CatalogModel, "id" | "about" | "repository">[];
  readonly hub: readonly HubHit[];
  /** Why the hub was not searched; absent where it was. */
  readonly hubError?: string;
}

/**
 * Models of the catalog and repositories of the hub with a word, or each of several, in their names or purposes. Without
 * a hub, those of the catalog.
 *
 * @throws {SvcError} `repository_unavailable` where the catalog has none either.
 */
export async function searchModels(
  word: string,
  environment: (name: string) => string | undefined,
  signal: AbortSignal,
): Promise<FoundToPull> {
  const wanted = word.toLowerCase().split(/\s+/);
  const catalog = CATALOG.filter(({ id, about, repository }) =>
    wanted.every((part) => [id, about, repository].some((text) => text.toLowerCase().includes(part)))
  ).map(({ id, about, repository }) => ({ id, about, repository }));
  const hub = openHub({ url: environment("HF_ENDPOINT") ?? HUB, token: environment("HF_TOKEN") });
  try {
    return { catalog, hub: await hub.search(word, signal) };
  } catch (error) {
    if (catalog.length === 0 || !(error instanceof SvcError) || error.code !== "repository_unavailable") throw error;
    return { catalog, hub: [], hubError: error.message };
  }
}
