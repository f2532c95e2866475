/**
 * Reads profiles from a model's files, one reader per engine.
 *
 * @module
 */
import type { ProfileReader } from "./catalog/detect_model.ts";
import { engineIds, engines } from "../engines/table/engine_table.ts";

/** The readers, in the order in which they are tried. */
export const profileReaders: readonly ProfileReader[] = engineIds.map((id) => engines[id].readProfile);
