/**
 * Profiles of models as JSON.
 *
 * @module
 */
import * as v from "valibot";
import { ENGINE_IDS } from "../../engines/contract/engine_ids.ts";
import { KV_CACHE_MODES, type ModelProfile } from "../../engines/contract/model_profile.ts";
import { modelKinds } from "../../engines/table/model_kinds.ts";

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
