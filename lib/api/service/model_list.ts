/**
 * Models as `GET /v1/models` lists them.
 *
 * @module
 */
import type { ChatModelProfile } from "../../engines/contract/model_profile.ts";
import type { InstalledModel, ModelTask, RuntimeSettings } from "../../store/catalog/installed_model.ts";
import type { ReasoningEffort } from "../../protocol/mod.ts";
import { chatDefaults, chatLimits } from "./chat_service.ts";
import type { StoreView } from "./model_directory.ts";
import type { ChatEngine } from "../../engines/contract/chat_engine.ts";
import type { EngineCounters } from "../../engines/contract/language_model.ts";
import type { ModelStatus } from "../../scheduling/mod.ts";
import type { ModelBenchmark } from "./benchmark_stats.ts";

/** An input or output of a model. */
export type Modality = "text" | "image" | "audio" | "video" | "embedding" | "geometry" | "3d";

/** A model or an alias of one. */
export interface ModelListEntry {
  readonly id: string;
  readonly object: "model";
  /** Unix time of this answer in seconds. */
  readonly created: number;
  readonly owned_by: "svc";
  /** The repository that it comes from; its id where it has none, shares one with another, or is an alias. */
  readonly name: string;
  readonly task: ModelTask;
  /** Present where its weights are random or scripted. */
  readonly test?: true;
  readonly reasoning: boolean;
  readonly thinking_levels?: readonly ReasoningEffort[];
  readonly tool_call: boolean;
  readonly structured_output: boolean;
  readonly modalities: { readonly input: readonly Modality[]; readonly output: readonly Modality[] };
  /** In tokens; chat models only. */
  readonly limit?: { readonly context: number; readonly output: number };
  /** What requests that name none are sampled with; chat models only. */
  readonly sampling?: {
    readonly temperature: number;
    readonly top_p: number;
    readonly top_k: number;
    readonly min_p: number;
  };
  readonly openai_compat?: OpenAiCompatibility;
  readonly info: FrontEndInfo;
}

/** Tokens of context from which on a model is sent the functions of a front end: those of Open WebUI take 5000. */
const CONTEXT_OF_FUNCTIONS = 32_768;

/**
 * What chat front ends read, in the form of Open WebUI: which models are no use in a list of chats, and what to send to
 * the others. Without it, images are offered to every model, and 28 functions are sent with each question.
 */
export interface FrontEndInfo {
  readonly meta: {
    /** True for what is not for chats. */
    readonly hidden?: true;
    readonly capabilities?: { readonly vision: boolean; readonly builtin_tools: boolean };
  };
}

/** The dialect of chat completions that a model supports. */
export interface OpenAiCompatibility {
  readonly supports_store: boolean;
  readonly supports_developer_role: boolean;
  readonly supports_reasoning_effort: boolean;
  readonly supports_usage_in_streaming: boolean;
  readonly supports_finish_reason: boolean;
  readonly max_tokens_field: "max_tokens" | "max_completion_tokens";
  readonly supports_strict_mode: boolean;
  readonly thinking_level_map?: Readonly<Partial<Record<ReasoningEffort, ReasoningEffort>>>;
  readonly requires_reasoning_content_on_assistant_messages: boolean;
}

/** What a list depends on besides the store. */
interface ModelListOptions {
  /** The server's limit of prompt and answer together, in tokens. */
  readonly contextSize: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the client is on this machine: models whose results are local files are not listed for others. */
  readonly local: boolean;
}

const modalities: Readonly<Record<Exclude<ModelTask, "chat.completions">, readonly [Modality[], Modality[]]>> = {
  "embeddings": [["text"], ["embedding"]],
  "rerank": [["text"], ["text"]],
  "images.generations": [["text"], ["image"]],
  "images.edits": [["text", "image"], ["image"]],
  "audio.speech": [["text"], ["audio"]],
  "audio.transcriptions": [["audio"], ["text"]],
  "vision.geometry": [["image"], ["geometry"]],
  "vision.depth": [["video"], ["video"]],
  "vision.image_to_3d": [["image"], ["3d"]],
};

/** All installed models and aliases that a client may use, by id. */
export function listModels({ models, settings }: StoreView, options: ModelListOptions): ModelListEntry[] {
  const listed = models.filter((model) => isListed(model, options.local));
  const shared = (repository: string): boolean =>
    listed.filter(({ source }) => source?.repository === repository).length > 1;
  const entries = listed.flatMap((model) => {
    const own = settings.get(model.id) ?? { pinned: false };
    const entry = describe(model, own, options);
    const named = shared(entry.name) ? { ...entry, name: entry.id } : entry;
    return own.alias === undefined ? [named] : [named, { ...entry, id: own.alias, name: own.alias }];
  });
  return entries.sort((a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function isListed({ task, profile }: InstalledModel, local: boolean): boolean {
  if (task === "chat.completions") return profile?.kind === "chat";
  return local || !task.startsWith("vision.");
}

function describe(model: InstalledModel, settings: RuntimeSettings, options: ModelListOptions): ModelListEntry {
  const { id, task, source, profile } = model;
  const head = {
    id,
    object: "model",
    created: Math.floor(options.now / 1000),
    owned_by: "svc",
    name: source?.repository ?? id,
    task,
    ...(model.test ? { test: true as const } : {}),
  } as const;
  if (task === "chat.completions") return { ...head, ...describeChat(profile as ChatModelProfile, settings, options) };
  const [input, output] = modalities[task];
  const none = { reasoning: false, tool_call: false, structured_output: false };
  return { ...head, ...none, modalities: { input, output }, info: { meta: { hidden: true } } };
}

function describeChat(profile: ChatModelProfile, settings: RuntimeSettings, { contextSize }: ModelListOptions) {
  const { features, reasoning } = profile.capabilities;
  const { context, output } = chatLimits(profile, settings, contextSize);
  const { levels = [], levelMap = {} } = reasoning ?? {};
  const { temperature, topP, topK, minP } = chatDefaults(profile, settings);
  return {
    reasoning: reasoning !== undefined,
    ...(levels.length > 0 ? { thinking_levels: levels } : {}),
    tool_call: features.has("tools"),
    structured_output: features.has("json_object") || features.has("json_schema"),
    modalities: { input: features.has("images") ? ["text", "image"] : ["text"], output: ["text"] },
    limit: { context, output },
    sampling: { temperature, top_p: topP, top_k: topK, min_p: minP },
    openai_compat: {
      supports_store: false,
      supports_developer_role: true,
      supports_reasoning_effort: levels.length > 0,
      supports_usage_in_streaming: true,
      supports_finish_reason: true,
      max_tokens_field: "max_completion_tokens",
      supports_strict_mode: features.has("strict_tools"),
      ...(Object.keys(levelMap).length > 0 ? { thinking_level_map: levelMap } : {}),
      requires_reasoning_content_on_assistant_messages: false,
    },
    info: {
      meta: {
        capabilities: {
          vision: features.has("images"),
          builtin_tools: features.has("tools") && context >= CONTEXT_OF_FUNCTIONS,
        },
      },
    },
  } as const satisfies Partial<ModelListEntry>;
}

/** A voice that requests of speech can name. */
export interface VoiceEntry {
  readonly id: string;
  /** Its id; with the models that have it where there are several models of speech. */
  readonly name: string;
  /** Ids of the models that have it. */
  readonly models: readonly string[];
}

/** The models of speech, as chat front ends ask for them. */
export function listSpeechModels({ models }: StoreView): { readonly id: string; readonly name: string }[] {
  return models.filter(({ profile }) => profile?.kind === "speech").map(({ id }) => ({ id, name: id }));
}

/** The voices of all models of speech, those of the first model first. */
export function listVoices({ models }: StoreView): VoiceEntry[] {
  const owners = new Map<string, string[]>();
  for (const { id, profile } of models) {
    if (profile?.kind !== "speech") continue;
    for (const voice of profile.voices) owners.set(voice, [...owners.get(voice) ?? [], id]);
  }
  const several = new Set([...owners.values()].flat()).size > 1;
  return [...owners].map(([id, models]) => ({ id, name: several ? `${id} (${models.join(", ")})` : id, models }));
}

/** A model with its settings, state and counters; absent values are unknown, unset or have not happened. */
export interface ModelEntry extends ModelStatus, Omit<RuntimeSettings, "pinned" | "ttlSeconds">, EngineCounters {
  /** Its task; absent for a model that has settings and is not installed. */
  readonly category?: string;
  readonly engine?: string;
  readonly installPath?: string;
  /** Such as `cpu` or `cuda`, while it is loaded. */
  readonly device?: string;
  readonly benchmarkStats?: ModelBenchmark;
  /** How it was loaded, while it is loaded. */
  readonly startupTiming?: { readonly loadSeconds: number };
}

/** The parts of a {@linkcode ModelEntry}. */
interface ModelEntryParts {
  readonly status: ModelStatus;
  readonly model: InstalledModel | undefined;
  readonly settings: RuntimeSettings | undefined;
  readonly engine: ChatEngine | undefined;
  readonly benchmark: ModelBenchmark | undefined;
}

/** Combines the parts. */
export function modelEntry({ status, model, settings, engine, benchmark }: ModelEntryParts): ModelEntry {
  const name = settings?.engineOverride ?? model?.profile?.engine;
  const { id, ...state } = status;
  return {
    id,
    ...(model ? { category: model.task, installPath: model.folder } : {}),
    ...(name === undefined ? {} : { engine: name }),
    ...settings,
    ...state,
    ...(engine ? { device: engine.device, ...engine.counters } : {}),
    ...(benchmark ? { benchmarkStats: benchmark } : {}),
    ...(engine ? { startupTiming: { loadSeconds: engine.loadSeconds } } : {}),
  };
}
