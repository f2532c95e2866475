/**
 * The models that the front end is given.
 *
 * @module
 */
import { EMBEDDED_IMAGES } from "../../lib/app/models/embedded_models.ts";
import type { InstalledModel, ModelTask } from "../../lib/store/catalog/installed_model.ts";
import type { EmbeddingFacts, WebuiModels } from "./webui_environment.ts";

/** The kinds of models, with the flag that names one and what is pulled where there is none. */
export const WEBUI_KINDS: readonly {
  readonly kind: keyof WebuiModels;
  readonly flag: "text-model" | "embedding-model" | "image-model" | "tts-model" | "stt-model";
  readonly task: ModelTask;
  /** Of the catalog; undefined where every one is too large to be pulled unasked. */
  readonly pulled: string | undefined;
}[] = [
  { kind: "text", flag: "text-model", task: "chat.completions", pulled: "qwen3-0.6b" },
  { kind: "embedding", flag: "embedding-model", task: "embeddings", pulled: "text-embed-qwen3-0.6b" },
  { kind: "image", flag: "image-model", task: "images.generations", pulled: undefined },
  { kind: "speech", flag: "tts-model", task: "audio.speech", pulled: "speech-tts-kokoro-82m" },
  { kind: "transcription", flag: "stt-model", task: "audio.transcriptions", pulled: "speech-asr-whisper-base" },
];

/** Which models are used, and which of them are not installed yet. */
export interface ChosenModels {
  readonly models: WebuiModels;
  /** Of the embedding model, where it is installed. */
  readonly embedding: EmbeddingFacts | undefined;
  /** Ids to pull. */
  readonly missing: readonly string[];
}

/**
 * Chooses the named models, else installed ones, else, where models may be pulled, those of the catalog. The embedded
 * image model makes corridors and courtyards only, so that it has to be named.
 *
 * @param installed With the embedded ones.
 * @param named By kind.
 */
export function chooseWebuiModels(
  installed: readonly InstalledModel[],
  named: Readonly<Partial<Record<keyof WebuiModels, string | undefined>>>,
  pull: boolean,
): ChosenModels {
  const models: Partial<Record<keyof WebuiModels, string>> = {};
  const missing: string[] = [];
  for (const { kind, task, pulled } of WEBUI_KINDS) {
    const usable = installed.filter((model) =>
      model.task === task && model.profile !== undefined && model.id !== EMBEDDED_IMAGES
    );
    const ids = usable.map(({ id }) => id);
    const preferred = pulled !== undefined && ids.includes(pulled) ? pulled : ids[0];
    const id = named[kind] ?? preferred ?? (pull ? pulled : undefined);
    if (id === undefined) continue;
    models[kind] = id;
    if (!installed.some((model) => model.id === id)) missing.push(id);
  }
  const { text, embedding, image, speech, transcription } = models;
  const profile = installed.find(({ id }) => id === embedding)?.profile;
  const facts = profile?.kind === "embedding"
    ? { context: profile.context, prompts: profile.prompts?.includes("query") === true }
    : undefined;
  return { models: { text, embedding, image, speech, transcription }, embedding: facts, missing };
}
