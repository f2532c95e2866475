/**
 * Runtime settings of models: their keys, bounds, and which model supports which.
 *
 * @module
 */
import * as v from "valibot";
import { KV_CACHE_MODES, type ModelProfile } from "../../engines/contract/model_profile.ts";
import { ENGINE_IDS, type EngineId } from "../../engines/contract/engine_ids.ts";
import { closestWord } from "../../errors/closest_word.ts";
import { describeIssue } from "../../errors/field_refusal.ts";
import { show } from "../../errors/show.ts";
import { conflict, invalidRequest, SvcError } from "../../errors/svc_error.ts";
import type { ModelTask, RuntimeSettings } from "./installed_model.ts";
import { isModelId } from "./model_id.ts";
import { isObject } from "../../json/json_text.ts";

/** Default settings of a model. */
export const NO_SETTINGS: RuntimeSettings = { pinned: false };

/** The model that the settings belong to. */
interface SettingsTarget {
  readonly id: string;
  readonly task: ModelTask;
  /** Undefined when it is not installed, or no engine serves it. */
  readonly profile?: ModelProfile | undefined;
  /** The engine that will serve it once installed. */
  readonly engine?: EngineId | undefined;
}

const expectedCount = "expected an integer from 1 to 2147483647";
const count = v.nullish(
  v.pipe(
    v.number(expectedCount),
    v.integer(expectedCount),
    v.minValue(1, expectedCount),
    v.maxValue(2 ** 31 - 1, expectedCount),
  ),
);

function number(max: number) {
  const expected = `expected a number from 0 to ${max}`;
  return v.nullish(v.pipe(v.number(expected), v.minValue(0, expected), v.maxValue(max, expected)));
}

function word<const T extends readonly string[]>(words: T) {
  return v.nullish(v.picklist(words, `expected one of ${words.join(", ")}`));
}

const aliasExpected = "expected up to 96 characters without spaces and without /";

const draftExpected = "expected the id of an installed model";

/** Every key; `null` counts as absent. */
const entries = {
  alias: v.nullish(
    v.pipe(
      v.string(aliasExpected),
      v.trim(),
      v.maxLength(96, aliasExpected),
      v.regex(/^[^\s/\p{Cc}]+$/u, aliasExpected),
    ),
  ),
  pinned: v.nullish(v.boolean("expected true or false"), false),
  ttlSeconds: count,
  maxContextTokens: count,
  maxTokens: count,
  temperature: number(2),
  topP: number(1),
  minP: number(1),
  engineOverride: word(ENGINE_IDS.chat),
  draftModel: v.nullish(v.pipe(v.string(draftExpected), v.check(isModelId, draftExpected))),
  kvCacheMode: word(KV_CACHE_MODES),
  kvCacheModeV2: word(KV_CACHE_MODES),
};
const schema = v.object(entries, "expected an object");

/** Keys that lane models support; the others are for text models only. */
const laneKeys = ["pinned", "ttlSeconds"];

/**
 * Reads settings in their stored and sent form.
 *
 * @param action The words after "Cannot".
 * @throws {SvcError} `invalid_settings` with the key.
 */
export function readRuntimeSettings(action: string, value: unknown): RuntimeSettings {
  if (Array.isArray(value)) throw invalid(`Cannot ${action}: they are ${show(value)}, expected an object`, "");
  if (typeof value === "object" && value !== null) {
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(entries, key));
    if (unknown !== undefined) throw unknownKey(action, unknown);
  }
  const read = v.safeParse(schema, value);
  if (!read.success) {
    const { message, param } = describeIssue(action, value, read.issues);
    throw invalid(
      read.issues[0].path ? message : `Cannot ${action}: they are ${show(value)}, expected an object`,
      param,
    );
  }
  const { kvCacheMode, kvCacheModeV2, ...others } = read.output;
  const mode = kvCacheModeV2 ?? kvCacheMode;
  const given = Object.entries({ ...others, kvCacheMode: mode }).filter(([, one]) => one !== undefined && one !== null);
  return Object.fromEntries(given) as unknown as RuntimeSettings;
}

/**
 * Reads settings for a model and refuses those that it does not support.
 *
 * @throws {SvcError} `invalid_settings` with the key.
 */
export function checkRuntimeSettings(model: SettingsTarget, value: unknown): RuntimeSettings {
  const action = `change the settings of ${model.id}`;
  const settings = readRuntimeSettings(action, value);
  const refuse = (key: keyof RuntimeSettings, expected: string) =>
    invalid(`Cannot ${action}: "${key}" is ${show(settings[key])}, ${expected}`, key);
  if (model.task !== "chat.completions") {
    const other = Object.keys(settings).find((key) => !laneKeys.includes(key)) as keyof RuntimeSettings | undefined;
    if (other) throw refuse(other, `expected only ${laneKeys.join(" and ")} for a model of ${model.task}`);
    return settings;
  }
  const { engineOverride, kvCacheMode = "default" } = settings;
  const { profile, engine = profile?.engine } = model;
  if (engineOverride !== undefined && engineOverride !== engine) {
    throw refuse("engineOverride", `expected ${engine}, the engine that can serve its files`);
  }
  const modes = ["default", ...(profile?.kind === "chat" ? profile.kvCacheModes : [])];
  if (!modes.includes(kvCacheMode)) {
    const why = profile ? "" : ", since the modes of a model are known once it is installed";
    throw refuse("kvCacheMode", `expected ${modes.length > 1 ? `one of ${modes.join(", ")}` : `${modes[0]}${why}`}`);
  }
  return settings;
}

/**
 * Refuses an alias that another model has; comparison ignores case.
 *
 * @param ids All ids, installed or known.
 * @throws {SvcError} `alias_taken`.
 */
export function checkAlias(
  id: string,
  alias: string | undefined,
  ids: Iterable<string>,
  settings: ReadonlyMap<string, RuntimeSettings>,
): void {
  if (alias === undefined) return;
  const folded = alias.toLowerCase();
  const taken = (what: string) =>
    conflict(
      "alias_taken",
      `Cannot change the settings of ${id}: the alias ${show(alias)} is ${what}, expected one that no model has`,
      "alias",
    );
  for (const other of ids) if (other.toLowerCase() === folded) throw taken(`the id of a model`);
  for (const [other, { alias: one }] of settings) {
    if (other !== id && one?.toLowerCase() === folded) throw taken(`that of ${other}`);
  }
}

/** The stored and sent form of settings: keys in order, newer modes under a separate key. */
export function settingsJson({ kvCacheMode, ...others }: RuntimeSettings): Readonly<Record<string, unknown>> {
  const modeKey = kvCacheMode?.startsWith("affine") ? "kvCacheModeV2" : "kvCacheMode";
  const given = Object.entries({ ...others, [modeKey]: kvCacheMode }).filter(([, one]) => one !== undefined);
  return Object.fromEntries(given.sort(([a], [b]) => a < b ? -1 : 1));
}

function unknownKey(action: string, key: string): SvcError {
  const meant = closestWord(key, Object.keys(entries));
  const remedy = meant ? `did you mean "${meant}"?` : `expected some of ${Object.keys(entries).join(", ")}`;
  return invalid(`Cannot ${action}: the setting ${show(key)} is unknown, ${remedy}`, key);
}

function invalid(message: string, key: string): SvcError {
  return invalidRequest("invalid_settings", message, key || undefined);
}

/**
 * Reads the text of the file.
 *
 * @param path What the file is called in errors.
 * @throws {SvcError} `broken_settings`: settings that cannot be read are never taken for none.
 */
export function parseSettingsFile(path: string, text: string): Map<string, RuntimeSettings> {
  const broken = (what: string) =>
    new SvcError("broken_settings", `Cannot read ${path}: ${what}; repair the file, or delete it to start over`);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw broken("it is not JSON");
  }
  if (!isObject(file) || !isObject(file.models)) throw broken('it has no object "models"');
  if (file.version !== 1) throw broken(`its version is ${JSON.stringify(file.version)}, expected 1`);
  return new Map(
    Object.entries(file.models).map(([id, value]) => {
      try {
        return [id, readRuntimeSettings(`read the settings of ${id}`, value)];
      } catch (error) {
        throw broken((error as Error).message);
      }
    }),
  );
}

/** The text of the file; models without settings are omitted. */
export function formatSettingsFile(settings: ReadonlyMap<string, RuntimeSettings>): string {
  const models = [...settings]
    .map(([id, one]) => [id, settingsJson(one)] as const)
    .filter(([, json]) => Object.entries(json).some(([key, value]) => key !== "pinned" || value !== false))
    .sort(([a], [b]) => a < b ? -1 : 1);
  return `${JSON.stringify({ models: Object.fromEntries(models), version: 1 }, undefined, 2)}\n`;
}
