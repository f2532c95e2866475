import type { ChatModelProfile, ModelProfile } from "../../lib/engines/contract/model_profile.ts";
import type {
  InstalledModel,
  ModelCatalog,
  ModelTask,
  RuntimeSettings,
} from "../../lib/store/catalog/installed_model.ts";
import { checkAlias, checkRuntimeSettings } from "../../lib/store/catalog/runtime_settings.ts";
import { NEUTRAL_SAMPLING, type TextCapabilities, type TextFeature } from "../../lib/protocol/mod.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

/** Everything that an engine may be able to do. */
export const ALL_FEATURES: readonly TextFeature[] = [
  "tools",
  "strict_tools",
  "stop",
  "seed",
  "top_k",
  "min_p",
  "penalties",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "json_object",
  "json_schema",
  "template_arguments",
];

/** A model that chats and can do all but see and draft. */
export function chatProfile(
  { reasoning, features = ALL_FEATURES, ...rest }:
    & Partial<Omit<ChatModelProfile, "capabilities">>
    & { readonly features?: readonly TextFeature[]; readonly reasoning?: TextCapabilities["reasoning"] } = {},
): ChatModelProfile {
  return {
    kind: "chat",
    engine: "onnx-text",
    context: 1000,
    maxOutputTokens: undefined,
    capabilities: { features: new Set(features), reasoning },
    sampling: NEUTRAL_SAMPLING,
    kvCacheModes: ["affine8"],
    ...rest,
  };
}

/** A model in the store. */
export function installed(
  id: string,
  task: ModelTask,
  profile?: ModelProfile,
  more: Partial<InstalledModel> = {},
): InstalledModel {
  const files = [{ path: "config.json", bytes: 2, sha256: "0".repeat(64) }];
  const record = { id, task, folder: `/store/${id}`, files, bytes: 2 ** 30, installedAt: "2026-01-01T00:00:00.000Z" };
  return { ...record, ...(profile ? { profile } : {}), ...more };
}

/** Two models that chat, one that embeds, one that reranks. */
export function usualModels(): InstalledModel[] {
  return [
    installed("chat-a", "chat.completions", chatProfile()),
    installed("chat-b", "chat.completions", chatProfile({ features: ["stop"] })),
    installed("embed", "embeddings", { kind: "embedding", engine: "onnx-embedding", context: 8192, dimensions: 3 }),
    installed("rank", "rerank", { kind: "rerank", engine: "onnx-rerank", context: 512 }),
  ];
}

/** A store in memory with the rules of the real one. */
export class FakeCatalog implements ModelCatalog {
  readonly settingsPath = "/store/.svc/runtime-model-settings.json";
  readonly known: readonly string[] = ["known-chat"];
  models: InstalledModel[];
  readonly stored = new Map<string, RuntimeSettings>();
  /** What reading fails with. */
  failure: Error | undefined;

  constructor(models: InstalledModel[] = usualModels()) {
    this.models = models;
  }

  list(): Promise<readonly InstalledModel[]> {
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(this.models);
  }

  settings(): Promise<ReadonlyMap<string, RuntimeSettings>> {
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(new Map(this.stored));
  }

  // deno-lint-ignore require-await
  async saveSettings(id: string, settings: unknown): Promise<RuntimeSettings> {
    const model = this.models.find((one) => one.id === id) ??
      (this.known.includes(id) ? { id, task: "chat.completions" as const } : undefined);
    if (!model) throw new SvcError("model_not_found", `Cannot find ${id}`);
    const checked = checkRuntimeSettings(model, settings);
    checkAlias(id, checked.alias, [...this.known, ...this.models.map((one) => one.id)], this.stored);
    this.stored.set(id, checked);
    return checked;
  }
}
