/**
 * Public models that `svc model pull` knows by a short id.
 *
 * @module
 */
import type { CatalogModel } from "./catalog/catalog_model.ts";
import { CHAT_MODELS } from "./catalog/chat_models.ts";
import { MEDIA_MODELS } from "./catalog/media_models.ts";
import { RETRIEVAL_MODELS } from "./catalog/retrieval_models.ts";

export type { CatalogModel } from "./catalog/catalog_model.ts";

/** The models, by task. Commits are pinned where one is known to hold these files. */
export const CATALOG: readonly CatalogModel[] = [...CHAT_MODELS, ...RETRIEVAL_MODELS, ...MEDIA_MODELS];
