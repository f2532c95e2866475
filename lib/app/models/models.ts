/**
 * Local models without a server.
 *
 * @module
 */
import { imageEditRules } from "../../api/http/image_routes.ts";
import { transcriptionRules } from "../../api/http/transcription_route.ts";
import { visionRules } from "../../api/http/vision_routes.ts";
import type { ModelApi } from "../../api/service/mod.ts";
import type { PreparedImage } from "../../api/service/images/image_service.ts";
import type { EmbeddingList, RerankList } from "../../api/service/text/text_services.ts";
import { join } from "../../platform/files/paths.ts";
import { wholeWav } from "../../media/audio/encoding/pcm_encoder.ts";
import { type ChatChunk, type ChatCompletion, chatCompletion } from "../../protocol/mod.ts";
import type { GeneratedImage } from "../../protocol/images/image_answer.ts";
import { TranscriptEvents } from "../../protocol/transcription/transcription_format.ts";
import { withForm } from "./body_form.ts";
import type {
  ChatBody,
  EmbeddingBody,
  ImageBody,
  RerankBody,
  SpeechBody,
  TranscriptionBody,
  VisionBodies,
} from "./model_bodies.ts";
import {
  type Speech,
  type SpeechChunk,
  type Transcription,
  type TranscriptionChunk,
  transcriptionOf,
  type VisionResult,
  visionResult,
} from "./model_results.ts";
import type { OpenedModelApi } from "./open_model_api.ts";
import { sendChat, streamChunks, usageOf } from "./stream_chunks.ts";

/** An installed model, or an alias of one. */
export interface LocalModel {
  /** The name that requests give. */
  readonly id: string;
  /** What it is for: `chat.completions`, `embeddings`, `rerank`, ... */
  readonly task: string;
  /** Tokens of a prompt with its answer, at most; chat models only. */
  readonly context?: number;
}

/** Options of a request. */
export interface ModelCallOptions {
  /** Cancels the request, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called with a sentence for each field that has no effect, and for what was left out of an answer. */
  readonly onWarning?: (sentence: string) => void;
}

/**
 * Installed models in this process, each in a child process of its own; made by `openModels`. Requests have the fields
 * of a model server's routes and are validated as there, before anything is loaded; files in and out are bytes.
 */
export class Models implements AsyncDisposable {
  readonly #opened: OpenedModelApi;

  /** Takes over what is open; closing this closes it. */
  constructor(opened: OpenedModelApi) {
    this.#opened = opened;
  }

  /** The installed models. */
  async list(): Promise<readonly LocalModel[]> {
    const models = await this.#api.models(true);
    return models.map(({ id, task, limit }) => ({ id, task, ...limit && { context: limit.context } }));
  }

  /**
   * Completes a chat in one piece.
   *
   * @throws {SvcError} for a field that is invalid or that the model cannot honour, with `code` and `param`.
   */
  async chat(body: ChatBody, { signal = never(), onWarning }: ModelCallOptions = {}): Promise<ChatCompletion> {
    const chat = await this.#api.chat({ model: "", ...body, stream: false });
    warn(chat.request.warnings, onWarning);
    const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
    warn(reply.answer.warnings, onWarning);
    return chatCompletion(chat.head, reply.answer, usageOf(reply), reply);
  }

  /**
   * Completes a chat in chunks, as they are generated. Leaving the loop cancels the rest.
   *
   * @throws {SvcError} as {@linkcode chat}, at the first chunk.
   */
  stream(
    body: ChatBody,
    { signal = never(), onWarning }: ModelCallOptions = {},
  ): AsyncGenerator<ChatChunk, void, void> {
    return streamChunks(async (send, stop) => {
      const chat = await this.#api.chat({ model: "", ...body, stream: true });
      warn(chat.request.warnings, onWarning);
      warn((await sendChat(chat, send, stop)).answer.warnings, onWarning);
    }, signal);
  }

  /** Embeds texts: one vector for each, in their order. */
  async embed(body: EmbeddingBody, { signal = never(), onWarning }: ModelCallOptions = {}): Promise<EmbeddingList> {
    const texts = await this.#api.embeddings(body);
    warn(texts.warnings, onWarning);
    return await texts.run(signal);
  }

  /** Ranks documents by how well they answer a query, best first. */
  async rerank(body: RerankBody, { signal = never(), onWarning }: ModelCallOptions = {}): Promise<RerankList> {
    const texts = await this.#api.rerank(body);
    warn(texts.warnings, onWarning);
    return await texts.run(signal);
  }

  /**
   * Makes an image; with `image`, edits one.
   *
   * @throws {SvcError} for a field that is invalid or that the model cannot honour, without an installed image model, and
   * for images that cannot be read.
   */
  image(body: ImageBody, options: ModelCallOptions = {}): Promise<GeneratedImage> {
    return this.#image(body, false, options, (image) => image.run(options.signal ?? never()));
  }

  /**
   * Makes or edits an image: first its previews, as many as `partial_images`, then the image. Leaving the loop cancels
   * the rest.
   *
   * @throws {SvcError} as {@linkcode image}, at the first chunk.
   */
  streamImage(body: ImageBody, options: ModelCallOptions = {}): AsyncGenerator<GeneratedImage, void, void> {
    return streamChunks(
      async (send, stop) => send(await this.#image(body, true, options, (image) => image.run(stop, send))),
      options.signal ?? never(),
    );
  }

  /**
   * Speaks a text.
   *
   * @throws {SvcError} for a field that is invalid, without an installed voice, and for a text with nothing to say.
   */
  async speak(body: SpeechBody, { signal = never(), onWarning }: ModelCallOptions = {}): Promise<Speech> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const onAudio = (bytes: Uint8Array) => void parts.push(new Uint8Array(bytes));
    const speech = await this.#speak(body, onAudio, onWarning, signal);
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return { bytes: speech.mediaType === "audio/wav" ? wholeWav(bytes) : bytes, ...speech };
  }

  /**
   * Speaks a text in chunks, sentence by sentence. Leaving the loop cancels the rest.
   *
   * @throws {SvcError} as {@linkcode speak}, at the first chunk.
   */
  streamSpeech(
    body: SpeechBody,
    { signal = never(), onWarning }: ModelCallOptions = {},
  ): AsyncGenerator<SpeechChunk, void, void> {
    return streamChunks(async (send, stop) => {
      const speech = await this.#speak(body, (bytes, fraction) => send({ bytes, fraction }), onWarning, stop);
      send({ bytes: new Uint8Array(), fraction: 1, speech });
    }, signal);
  }

  /**
   * Transcribes a recording, or translates it into English with the `task` `translate`.
   *
   * @throws {SvcError} for a field that is invalid or that the model cannot honour, and for sound that cannot be read.
   */
  transcribe(body: TranscriptionBody, options: ModelCallOptions = {}): Promise<Transcription> {
    const fields = { response_format: "verbose_json", ...body, stream: false };
    return this.#transcribe(fields, () => {}, options.onWarning, options.signal ?? never());
  }

  /**
   * Transcribes a recording in chunks, as its parts are certain. Leaving the loop cancels the rest.
   *
   * @throws {SvcError} as {@linkcode transcribe}, at the first chunk.
   */
  streamTranscription(
    body: TranscriptionBody,
    { signal = never(), onWarning }: ModelCallOptions = {},
  ): AsyncGenerator<TranscriptionChunk, void, void> {
    return streamChunks(async (send, stop) => {
      const onDelta = (delta: string) => send({ delta });
      const transcription = await this.#transcribe({ ...body, stream: true }, onDelta, onWarning, stop);
      send({ delta: "", transcription });
    }, signal);
  }

  /**
   * Finds the depth of images and videos, relates views, and makes meshes of images.
   *
   * @param route What to find, such as `geometry`.
   * @throws {SvcError} for a field that is invalid, without the route's model, and for files that cannot be read.
   */
  vision<Route extends keyof VisionBodies>(
    route: Route,
    body: VisionBodies[Route],
    { signal = never(), onWarning }: ModelCallOptions = {},
  ): Promise<VisionResult> {
    return withForm(body, visionRules[route], async (form, folder) => {
      const prepared = await this.#api.vision(route, form);
      warn(prepared.warnings, onWarning);
      return visionResult(await prepared.run(join(folder, "results"), signal), this.#api);
    });
  }

  /** Loads a chat model before it is needed. */
  async load(model: string, { signal = never() }: ModelCallOptions = {}): Promise<void> {
    await this.#api.load(model, signal);
  }

  /** Unloads a chat model and frees its memory. */
  async unload(model: string, { signal = never() }: ModelCallOptions = {}): Promise<void> {
    await this.#api.unload(model, signal);
  }

  /** Cancels what runs, ends every engine, frees its memory and removes files of results. */
  close(): Promise<void> {
    return this.#opened.close(AbortSignal.abort());
  }

  /** The same as {@linkcode close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #api(): ModelApi {
    return this.#opened.api;
  }

  async #image<T>(
    body: ImageBody,
    stream: boolean,
    { onWarning }: ModelCallOptions,
    run: (image: PreparedImage) => Promise<T>,
  ): Promise<T> {
    const fields = { ...body, stream, response_format: "b64_json" };
    const made = (image: PreparedImage): Promise<T> => {
      warn(image.warnings, onWarning);
      return run(image);
    };
    const isEdit = [body.image, body.mask, body.strength].some((field) => field !== undefined);
    if (!isEdit) return await made(await this.#api.image(fields));
    return await withForm(fields, imageEditRules, async (form) => made(await this.#api.imageEdit(form)));
  }

  async #speak(
    body: SpeechBody,
    onAudio: (bytes: Uint8Array, fraction: number) => void,
    onWarning: ModelCallOptions["onWarning"],
    signal: AbortSignal,
  ): Promise<Omit<Speech, "bytes">> {
    const prepared = await this.#api.speech(body);
    warn(prepared.warnings, onWarning);
    const onPlan = ({ warnings }: { readonly warnings: readonly string[] }) => warn(warnings, onWarning);
    const { voice, sampleRate, samples, phonemes } = await prepared.run({ onPlan, onAudio }, signal);
    return { mediaType: prepared.type, voice, sampleRate, seconds: samples / sampleRate, phonemes };
  }

  #transcribe(
    fields: object,
    onDelta: (delta: string) => void,
    onWarning: ModelCallOptions["onWarning"],
    signal: AbortSignal,
  ): Promise<Transcription> {
    return withForm(fields, transcriptionRules, async ({ texts, files: [file] }) => {
      const prepared = await this.#api.transcription({ texts, file });
      warn(prepared.warnings, onWarning);
      const events = new TranscriptEvents();
      const transcript = await prepared.run(signal, (segment) => {
        const event = events.segment(segment);
        if (event?.type === "transcript.text.delta") onDelta(event.delta);
      });
      return transcriptionOf(transcript, prepared.format(transcript).body);
    });
  }
}

function never(): AbortSignal {
  return new AbortController().signal;
}

function warn(sentences: readonly string[] = [], onWarning: ModelCallOptions["onWarning"]): void {
  if (onWarning) sentences.forEach((sentence) => onWarning(sentence));
}
