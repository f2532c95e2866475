/**
 * Detects what a folder of files is, from the files alone.
 *
 * @module
 */
import type { ModelFiles } from "../../engines/contract/engine_entry.ts";
import { KV_CACHE_MODES, type ModelProfile } from "../../engines/contract/model_profile.ts";
import { modelKinds } from "../../engines/table/model_kinds.ts";
import type { ModelTask } from "./installed_model.ts";
import { optionError } from "../../errors/option_error.ts";
import { SvcError } from "../../errors/svc_error.ts";
import * as v from "valibot";
import { ENGINE_IDS } from "../../engines/contract/engine_ids.ts";

/** Reads the profile of one kind of model; undefined for files of another kind. */
export type ProfileReader = (files: ModelFiles) => Promise<ModelProfile | undefined>;

/** A model as its files describe it. */
export interface DetectedModel {
  readonly task: ModelTask;
  readonly profile: ModelProfile;
}

/** Two parts of a sentence about files that cannot be used. */
export interface FilesProblem {
  /** Such as `it has no config.json`. */
  readonly problem: string;
  readonly expected: string;
}

/**
 * Tries the readers in order.
 *
 * @param task What the user says it is; undefined to find out.
 * @param what The folder or repository, for the error sentence.
 * @param explain Says what is missing in files that no reader accepts.
 * @throws {SvcError} `unsuitable_files` when the files are of no kind that an engine serves, or of another task.
 * @throws what a reader throws about files of its kind that are broken.
 */
export async function detectModel(
  files: ModelFiles,
  task: ModelTask | undefined,
  readers: readonly ProfileReader[],
  what: string,
  explain: (files: ModelFiles) => Promise<FilesProblem> = () => Promise.resolve(unknown),
): Promise<DetectedModel> {
  let found: ModelTask | undefined;
  for (const read of readers) {
    const profile = await read(files);
    if (!profile) continue;
    const { tasks } = modelKinds[profile.kind];
    found ??= tasks[0];
    if (task === undefined || tasks.includes(task)) return { task: task ?? tasks[0], profile };
  }
  if (found !== undefined) {
    throw optionError(
      (name) => `Cannot use ${what}: its files are a model for ${found}, not for ${task}, omit ${name("task")}`,
      (message) => new SvcError("unsuitable_files", message),
    );
  }
  const { problem, expected } = await explain(files);
  throw new SvcError("unsuitable_files", `Cannot use ${what}: ${problem}, ${expected}`);
}

const unknown: FilesProblem = {
  problem: "its files are not a model that an engine runs",
  expected: "expected a model in Hugging Face layout with ONNX weights, or a GGUF file",
};

const size = v.pipe(v.number(), v.integer(), v.minValue(1));
const sampling = v.object({
  ...{ temperature: v.number(), topP: v.number(), topK: v.number(), minP: v.number() },
  ...{ presencePenalty: v.number(), frequencyPenalty: v.number(), repetitionPenalty: v.number() },
  logitBias: v.pipe(v.array(v.tuple([v.number(), v.number()])), v.transform((pairs) => new Map(pairs))),
});
const capabilities = v.pipe(
  v.object({
    features: v.pipe(v.array(v.string()), v.transform((features) => new Set(features))),
    reasoning: v.optional(
      v.object({ optional: v.boolean(), levels: v.array(v.string()), levelMap: v.record(v.string(), v.string()) }),
    ),
  }),
  v.transform(({ features, reasoning }) => ({ features, reasoning })),
);

/** Parses and validates a profile written by {@linkcode profileJson}. */
export const profileSchema: v.GenericSchema<unknown, ModelProfile> = v.variant("kind", [
  v.pipe(
    v.object({
      ...{
        kind: v.literal("chat"),
        engine: v.picklist(ENGINE_IDS.chat),
        context: size,
        maxOutputTokens: v.optional(size),
        capabilities,
        sampling,
      },
      kvCacheModes: v.array(v.picklist(KV_CACHE_MODES)),
    }),
    v.transform((chat) => ({ ...chat, maxOutputTokens: chat.maxOutputTokens })),
  ),
  ...Object.entries(modelKinds).flatMap(([kind, { fields }]) =>
    fields === undefined
      ? []
      : [v.object({ kind: v.literal(kind), engine: v.picklist(ENGINE_IDS[kind as ModelProfile["kind"]]), ...fields })]
  ),
] as never) as unknown as v.GenericSchema<unknown, ModelProfile>;

/** The profile with arrays in place of sets and maps. */
export function profileJson(profile: ModelProfile): unknown {
  if (profile.kind !== "chat") return profile;
  const { features, reasoning } = profile.capabilities;
  return {
    ...profile,
    capabilities: { features: [...features].sort(), reasoning },
    sampling: { ...profile.sampling, logitBias: [...profile.sampling.logitBias] },
  };
}
