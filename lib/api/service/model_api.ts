/**
 * Everything that a model API server does, without HTTP.
 *
 * @module
 */
import type { ModelStatus } from "../../scheduling/mod.ts";
import type { InstalledModel } from "../../store/catalog/installed_model.ts";
import { ApiRuntime } from "./api_runtime.ts";
import { BenchmarkStats, type BenchmarkTotals } from "./benchmark_stats.ts";
import { ChatService, type PreparedChat } from "./chat_service.ts";
import type { ModelApiOptions } from "./model_api_options.ts";
import { ModelDirectory } from "./model_directory.ts";
import {
  listModels,
  listSpeechModels,
  listVoices,
  type ModelEntry,
  modelEntry,
  type ModelListEntry,
  type VoiceEntry,
} from "./model_list.ts";
import type { ImageForm } from "./images/image_request.ts";
import { ImageService, type PreparedImage } from "./images/image_service.ts";
import { reportedIds, type RuntimeReport, runtimeReport } from "./runtime_report.ts";
import { type SettingsRecord, SettingsService } from "./settings_service.ts";
import type { KeptFile, VisionForm } from "./vision/vision_files.ts";
import type { VisionRoute } from "./vision/vision_fields.ts";
import { type PreparedVision, VisionService } from "./vision/vision_service.ts";
import { type PreparedSpeech, prepareSpeech } from "./audio/speech_service.ts";
import {
  type PreparedTranscription,
  prepareTranscription,
  type TranscriptionForm,
  type TranscriptionOptions,
} from "./audio/transcription_service.ts";
import { prepareCompletion, type PreparedCompletion } from "./text/completion_service.ts";
import { RealtimeService } from "./realtime/realtime_service.ts";
import { ResponseService } from "./responses/response_service.ts";
import { PromptService } from "./text/prompt_service.ts";
import type { DialectChat } from "../../protocol/mod.ts";
import {
  type EmbeddingList,
  type PreparedTexts,
  prepareEmbeddings,
  prepareRerank,
  type RerankList,
  type TextServiceOptions,
} from "./text/text_services.ts";

/**
 * Installed models behind one interface: store, clock, engines and files are given to it.
 *
 * @example
 * ```ts
 * import { ModelApi } from "./model_api.ts";
 * const none = () => Promise.reject(new Error("there is no engine"));
 * const api = new ModelApi({
 *   catalog: {
 *     settingsPath: "settings.json",
 *     known: [],
 *     list: () => Promise.resolve([]),
 *     settings: () => Promise.resolve(new Map()),
 *     saveSettings: none,
 *   },
 *   clock: { now: () => Date.now(), after: () => () => {} },
 *   newId: () => crypto.randomUUID(),
 *   guard: { tier: "off" },
 *   probe: () => Promise.resolve(undefined),
 *   maxActiveRequests: 1,
 *   maxQueuedRequests: 16,
 *   contextSize: 32768,
 *   startChat: none,
 *   startLaneEngine: none,
 *   readImage: none,
 *   process: () => ({ processID: 1, startedAt: new Date().toISOString(), uptimeSeconds: 0 }),
 * });
 * console.assert((await api.models(true)).length === 0);
 * const body = { model: "qwen3-0.6b", messages: [{ role: "user", content: "Hello" }] };
 * await api.chat(body).catch((error) => console.assert(error.code === "model_not_found"));
 * ```
 */
export class ModelApi {
  readonly #options: ModelApiOptions;
  readonly #directory: ModelDirectory;
  readonly #runtime: ApiRuntime;
  readonly #stats = new BenchmarkStats();
  readonly #chats: ChatService;
  /** Chats that are kept to be continued. */
  readonly responses: ResponseService;
  /** Conversations over sockets. */
  readonly realtime: RealtimeService;
  /** Texts as tokens, and requests as prompts. */
  readonly prompts: PromptService;
  readonly #texts: TextServiceOptions;
  readonly #settings: SettingsService;
  readonly #vision: VisionService | undefined;
  readonly #images: ImageService | undefined;
  readonly #transcriptions: TranscriptionOptions;

  constructor(options: ModelApiOptions) {
    const {
      catalog,
      clock,
      defaultModel,
      contextSize,
      readImage,
      process: _,
      openLocalModel,
      vision,
      records,
      images,
      checkSound,
      ...rest
    } = options;
    this.#options = options;
    this.#directory = new ModelDirectory({ catalog, clock, openLocalModel, startupModel: options.startupModel });
    const pool = { ...rest, clock, ...(defaultModel === undefined ? {} : { defaultModel }) };
    this.#runtime = new ApiRuntime({ ...pool, directory: this.#directory });
    this.#settings = new SettingsService(this.#directory, catalog);
    this.#texts = { directory: this.#directory, runtime: this.#runtime };
    this.#transcriptions = { ...this.#texts, checkSound, recorder: records?.transcription };
    const { newId } = options;
    const parts = { ...this.#texts, clock };
    this.#vision = vision && new VisionService({ ...vision, ...parts });
    const chats = { ...parts, defaultModel, readImage };
    this.#chats = new ChatService({ ...chats, stats: this.#stats, newId, contextSize });
    this.responses = new ResponseService(this.#chats, newId, clock);
    const heard = { chats: this.#chats, transcriptions: this.#transcriptions };
    this.realtime = new RealtimeService({ ...heard, defaultModel, clock, newId });
    this.prompts = new PromptService(chats);
    const newSeed = () => crypto.getRandomValues(new BigUint64Array(1))[0];
    this.#images = images && new ImageService({ ...parts, files: images, newSeed, records: records?.image });
  }

  /** Validates a chat; see {@linkcode ChatService.prepare}. */
  chat(body: unknown): Promise<PreparedChat> {
    return this.#chats.prepare(body);
  }

  /** Validates a chat of another API; see {@linkcode ChatService.prepareDialect}. */
  dialectChat(chat: DialectChat): Promise<PreparedChat> {
    return this.#chats.prepareDialect(chat);
  }

  /** Validates a completion; see {@linkcode prepareCompletion}. */
  completion(body: unknown): Promise<PreparedCompletion> {
    return prepareCompletion(body, this.#chats, this.prompts);
  }

  /** Validates an embeddings request; see {@linkcode prepareEmbeddings}. */
  embeddings(body: unknown): Promise<PreparedTexts<EmbeddingList>> {
    return prepareEmbeddings(body, this.#texts);
  }

  /** Validates a rerank request; see {@linkcode prepareRerank}. */
  rerank(body: unknown): Promise<PreparedTexts<RerankList>> {
    return prepareRerank(body, this.#texts);
  }

  /** Validates a speech request; see {@linkcode prepareSpeech}. */
  speech(body: unknown): Promise<PreparedSpeech> {
    return prepareSpeech(body, this.#texts);
  }

  /** Validates a transcription request; see {@linkcode prepareTranscription}. */
  transcription(form: TranscriptionForm): Promise<PreparedTranscription> {
    return prepareTranscription(form, this.#transcriptions);
  }

  /** Checks an image generation; see {@linkcode ImageService.generation}. */
  image(body: unknown): Promise<PreparedImage> {
    return this.#imageService().then((images) => images.generation(body));
  }

  /** Checks an image edit; see {@linkcode ImageService.edit}. */
  imageEdit(form: ImageForm): Promise<PreparedImage> {
    return this.#imageService().then((images) => images.edit(form));
  }

  /** Checks a request of a vision route; see {@linkcode VisionService.prepare}. Rejects without a store of results. */
  vision(route: VisionRoute, form: VisionForm): Promise<PreparedVision> {
    if (this.#vision) return this.#vision.prepare(route, form);
    return Promise.reject(new Error("Cannot answer a vision request: this model API has no store of results"));
  }

  /** A file of a result that is kept. */
  visionFile(id: string, path: string): KeptFile | undefined {
    return this.#options.vision?.artifacts.find(id, path);
  }

  /**
   * The models that a client can name.
   *
   * @param local Whether the client is on this machine.
   */
  async models(local: boolean): Promise<ModelListEntry[]> {
    const { contextSize, clock } = this.#options;
    return listModels(await this.#directory.look(), { contextSize, now: clock.now(), local });
  }

  /**
   * One of {@linkcode models}.
   *
   * @throws {SvcError} `model_not_found`.
   */
  async model(name: string, local: boolean): Promise<ModelListEntry> {
    const folded = name.trim().toLowerCase();
    const found = (await this.models(local)).find(({ id }) => id.toLowerCase() === folded);
    if (found) return found;
    throw this.#directory.notFound(name, await this.#directory.look(), "find the model");
  }

  /** The models of speech. */
  async speechModels(): Promise<{ readonly id: string; readonly name: string }[]> {
    return listSpeechModels(await this.#directory.look());
  }

  /** The voices that requests of speech can name, of all models. */
  async voices(): Promise<VoiceEntry[]> {
    return listVoices(await this.#directory.look());
  }

  /** Loads an installed model of any kind before it is needed. Throws as {@linkcode load}. */
  async preload({ id, profile }: InstalledModel, signal: AbortSignal): Promise<void> {
    if (profile === undefined || profile.kind === "chat") return void await this.load(id, signal);
    const { model } = await this.#directory.find(id, profile.kind, "load the model");
    await this.#runtime.preload(model, signal);
  }

  /**
   * Loads a chat model, or updates the last access of a loaded one.
   *
   * @param name Its id or alias.
   * @throws {SvcError} `model_not_found`, `wrong_model_task`, `unsupported_model`.
   * @throws {SvcError} for every reason of the pool.
   */
  async load(name: string, signal: AbortSignal): Promise<ModelEntry> {
    const { model } = await this.#directory.find(name, "chat", "load the model");
    return await this.#entry(model.id, await this.#runtime.load(model, signal));
  }

  /**
   * Unloads a chat model, pinned or not.
   *
   * @throws {SvcError} as {@linkcode load}.
   * @throws {SvcError} `model_in_use`.
   */
  async unload(name: string, signal: AbortSignal): Promise<ModelEntry> {
    const { model } = await this.#directory.find(name, "chat", "unload the model");
    return await this.#entry(model.id, await this.#runtime.unload(model.id, signal));
  }

  /** The settings of a chat model; see {@linkcode SettingsService.read}. */
  settings(name: string): Promise<SettingsRecord> {
    return this.#settings.read(name);
  }

  /** Replaces the settings of a chat model; see {@linkcode SettingsService.replace}. */
  changeSettings(name: string, settings: unknown): Promise<SettingsRecord> {
    return this.#settings.replace(name, settings);
  }

  /** The status of everything; never queued. */
  async status(): Promise<RuntimeReport> {
    const store = await this.#directory.look();
    return runtimeReport({
      pool: await this.#runtime.status(reportedIds(store)),
      store,
      engines: this.#runtime.chatEngines,
      stats: this.#stats,
      settingsPath: this.#options.catalog.settingsPath,
      process: this.#options.process(),
    });
  }

  /** Sums of the chats of each model since the start. */
  totals(): ReadonlyMap<string, Readonly<BenchmarkTotals>> {
    return this.#stats.totals();
  }

  /** Refuses new requests, lets active ones finish until `deadline` aborts, and stops all engines. */
  async close(deadline: AbortSignal): Promise<void> {
    await this.#runtime.close(deadline);
    await this.#options.vision?.artifacts.close();
  }

  #imageService(): Promise<ImageService> {
    if (this.#images) return Promise.resolve(this.#images);
    return Promise.reject(new Error("Cannot answer an image request: this model API has no folder for images"));
  }

  async #entry(id: string, status: ModelStatus): Promise<ModelEntry> {
    const { models, settings } = await this.#directory.look();
    return modelEntry({
      status,
      model: models.find((model) => model.id === id),
      settings: settings.get(id),
      engine: status.ready ? this.#runtime.chatEngines.get(id) : undefined,
      benchmark: this.#stats.of(id),
    });
  }
}
