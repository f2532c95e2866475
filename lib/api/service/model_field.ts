/**
 * The field that names a model, by its id, its alias or its folder.
 *
 * @module
 */
import * as v from "valibot";
import { isPathText, MAX_PATH_BYTES } from "../../errors/path_text.ts";

const expected = `expected the id of a model, of at most ${MAX_PATH_BYTES} bytes`;

/** A model that the request has to name. */
export const modelField: v.GenericSchema<unknown, string> = v.pipe(
  v.string(expected),
  v.check((name) => isPathText(name) && name.trim() !== "", expected),
);
