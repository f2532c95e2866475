/**
 * The record of an installed model: `svc-model.json` in its folder of the store.
 *
 * @module
 */
import * as v from "valibot";
import { describeIssue } from "../../errors/field_refusal.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { type InstalledModel, MODEL_TASKS } from "./installed_model.ts";
import { isModelPath } from "./model_id.ts";
import { profileJson, profileSchema } from "./detect_model.ts";

/** Name of the record's file. */
export const RECORD_NAME = "svc-model.json";

const bytes = v.pipe(
  v.number("expected a number of bytes"),
  v.integer("expected an integer"),
  v.minValue(0, "expected at least 0"),
);
const path = v.pipe(v.string("expected a path"), v.check(isModelPath, "expected a path below the model's folder"));
const schema = v.object({
  version: v.literal(1, "expected 1"),
  task: v.picklist(MODEL_TASKS, `expected one of ${MODEL_TASKS.join(", ")}`),
  /** Only for files used in place. */
  folder: v.optional(v.string("expected a path")),
  files: v.array(
    v.object({ path, bytes, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "expected a SHA-256")) }),
  ),
  bytes,
  installedAt: v.string("expected a date"),
  source: v.optional(v.object({ repository: v.string(), revision: v.string() })),
  license: v.optional(v.string()),
  test: v.optional(v.boolean()),
  profile: v.optional(profileSchema),
});

/**
 * Reads a record.
 *
 * @param id The name of its folder.
 * @param folder The folder itself, which holds the files unless the record names another.
 * @throws {SvcError} `broken_record`.
 */
export function parseModelRecord(id: string, folder: string, text: string): InstalledModel {
  const action = `use the model ${id}`;
  const broken = (what: string) =>
    new SvcError("broken_record", `${what}; remove it with svc model rm ${id}, then add it again`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken(`Cannot ${action}: its ${RECORD_NAME} is not JSON`);
  }
  const read = v.safeParse(schema, json, { message: "expected what svc model add writes" });
  if (!read.success) throw broken(`${describeIssue(action, json, read.issues).message} in its ${RECORD_NAME}`);
  const { version: _, ...record } = read.output;
  const known = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
  return { folder, ...known, id } as unknown as InstalledModel;
}

/** The text of a record. With `linked` it includes the folder, which is the user's own. */
export function formatModelRecord(model: InstalledModel, linked: boolean): string {
  const { id: _, folder, profile, ...others } = model;
  const record = {
    version: 1,
    ...others,
    ...(linked ? { folder } : {}),
    ...(profile ? { profile: profileJson(profile) } : {}),
  };
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
