/**
 * Public models that `svc model pull` takes by a short id.
 *
 * @module
 */
import type { CatalogModel } from "./models/catalog_model.ts";
import { CHAT_MODELS } from "./models/chat_models.ts";
import { MEDIA_MODELS } from "./models/media_models.ts";
import { RETRIEVAL_MODELS } from "./models/retrieval_models.ts";

export type { CatalogModel } from "./models/catalog_model.ts";

/** The models, by task. Commits are pinned where one is known to hold these files. */
export const CATALOG: readonly CatalogModel[] = [...CHAT_MODELS, ...RETRIEVAL_MODELS, ...MEDIA_MODELS];
