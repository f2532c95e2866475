/**
 * What is known of a model without loading it: its profile, and what it is for.
 *
 * @module
 */
import type { EngineId } from "./engine_ids.ts";
import type { SamplingSettings, TextCapabilities } from "../../protocol/mod.ts";
import type { SpeechModelProfile } from "./speech_model.ts";
import type { TranscriptionModelProfile } from "./transcription_model.ts";

/** A model of any kind. */
export type ModelProfile =
  | ChatModelProfile
  | EmbeddingModelProfile
  | RerankModelProfile
  | SpeechModelProfile
  | VisionModelProfile
  | ImageModelProfile
  | TranscriptionModelProfile;

/** A profile of a kind. */
export type ProfileOf<K extends ModelProfile["kind"]> = Extract<ModelProfile, { readonly kind: K }>;

/** The task of a model, as `GET /v1/models` names it. */
export type ModelTask =
  | "chat.completions"
  | "embeddings"
  | "rerank"
  | "images.generations"
  | "images.edits"
  | "audio.speech"
  | "audio.transcriptions"
  | "vision.geometry"
  | "vision.depth"
  | "vision.image_to_3d";

/** Modes of a model's key-value cache. */
export const KV_CACHE_MODES = ["default", "affine4", "affine8", "polar2", "auto"] as const;

/** One of {@linkcode KV_CACHE_MODES}. */
export type KvCacheMode = typeof KV_CACHE_MODES[number];

/** A chat model, as its files describe it. Plain data: it is stored and sent between processes. */
export interface ChatModelProfile {
  readonly kind: "chat";
  readonly engine: EngineId<"chat">;
  /** Maximum number of tokens of prompt and answer together. */
  readonly context: number;
  /** The engine's own limit on generated tokens; undefined for none. */
  readonly maxOutputTokens: number | undefined;
  readonly capabilities: TextCapabilities;
  /** The recommended sampling settings of the model. */
  readonly sampling: SamplingSettings;
  /** Modes of its key-value cache besides `default`. */
  readonly kvCacheModes: readonly KvCacheMode[];
}

/** An embedding model. */
export interface EmbeddingModelProfile {
  readonly kind: "embedding";
  readonly engine: EngineId<"embedding">;
  /** Maximum number of tokens of a text. */
  readonly context: number;
  readonly dimensions: number;
  /** Names of the prompts that it has for kinds of texts, such as `query` and `document`; absent for none. */
  readonly prompts?: readonly string[] | undefined;
}

/** A reranking model. */
export interface RerankModelProfile {
  readonly kind: "rerank";
  readonly engine: EngineId<"rerank">;
  /** Maximum number of tokens of query and text together. */
  readonly context: number;
}

/** An image model, as its files describe it. Plain data: it is stored and sent between processes. */
export interface ImageModelProfile {
  readonly kind: "image";
  readonly engine: EngineId<"image">;
  /** Tokens that a prompt has at most. */
  readonly maxPromptTokens: number;
  /** Denoising steps where a request says nothing. */
  readonly steps: number;
  /** Guidance where a request says nothing. */
  readonly guidance: number;
  /** Whether it can take a second pass: guidance above 1 and negative prompts need one. */
  readonly secondPass: boolean;
  /** False for a model that looks at no other images; an image can then only be what it begins with. */
  readonly takesReferences?: boolean;
  /** The one size that it makes, where it does not make all: widths up to this one; images are stretched from it. */
  readonly native?: { readonly width: number; readonly height: number };
  /** Bytes of its largest part while that is loaded: no image can be made with less. */
  readonly partBytes: number;
  /** Bytes when all parts stay loaded. */
  readonly wholeBytes: number;
  /** What a small model was made for, and the words of its captions; absent where it does not say. */
  readonly madeFor?: { readonly what: string; readonly words: readonly string[] };
  /** Bytes of inputs and results of an image of 1024x1024 pixels, or of the native size. */
  readonly workBytes: number;
}

/** Sizes of a network, as its family reads them from the names and shapes of tensors; for plans. */
export type NetworkSizes = Readonly<Record<string, unknown>>;

/** A model that finds the geometry of one image or of several views. */
export interface GeometryModelProfile {
  readonly kind: "geometry";
  readonly engine: EngineId<"geometry">;
  readonly network: NetworkSizes;
}

/** A model that finds the depth of videos. */
interface DepthVideoModelProfile {
  readonly kind: "depth-video";
  readonly engine: EngineId<"depth-video">;
  readonly network: NetworkSizes;
}

/** A model that makes objects of images. */
interface ObjectModelProfile {
  readonly kind: "object";
  readonly engine: EngineId<"object">;
  readonly network: NetworkSizes;
  /** SHA-256 of the published checkpoint that the weights were converted from. */
  readonly sourceSha256?: string | undefined;
}

/** A vision model of any kind. */
export type VisionModelProfile = GeometryModelProfile | DepthVideoModelProfile | ObjectModelProfile;
