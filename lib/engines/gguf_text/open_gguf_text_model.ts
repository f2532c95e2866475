/**
 * Opens GGUF models.
 *
 * @module
 */
import type { Llama, LlamaContext, LlamaContextOptions, LlamaModel } from "node-llama-cpp";
import { deviceFor, firstThatWorks } from "../onnx_sessions/engine_devices.ts";
import type { EngineOptions, ModelFiles } from "../contract/engine_entry.ts";
import type { LanguageModel } from "../contract/language_model.ts";
import type { KvCacheMode } from "../contract/model_profile.ts";
import { openPromptImages } from "./images/prompt_images.ts";
import { findGgufFile, readProjector } from "./gguf_file.ts";
import { cannotDraft, checkDraftVocabulary, DraftModel } from "./draft_model.ts";
import { type GgufMetadata, readGgufMetadata } from "./gguf_metadata.ts";
import { ggufProfile, ggufTemplate, kvBytes, withImages } from "./gguf_profile.ts";
import { GgufTextModel, ggufVocabulary } from "./gguf_text_model.ts";
import { keepThreads, openLlama, WITHIN } from "./open_llama.ts";
import { SequencePool } from "./sequence_pool.ts";

/** Tokens that llama.cpp evaluates at once, over all sequences. */
const BATCH = 256;

const kvTypes: Readonly<Partial<Record<KvCacheMode, "Q8_0" | "Q4_0">>> = { affine8: "Q8_0", affine4: "Q4_0" };

/**
 * Opens the GGUF file of a model with llama.cpp: on a GPU if one works, else on the CPU.
 *
 * @param draft A smaller model of the same vocabulary, for speculative decoding.
 * @throws {SvcError} `model_unavailable` for a draft model that does not suit.
 * @throws {Error} when the package is missing, the file is broken or memory is insufficient.
 *
 * @example
 * ```ts ignore
 * const model = await openGgufTextModel(openModelFolder(folder, ["qwen.gguf"]), options);
 * const prompt = model.encode("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
 * await model.generate({ ...job, prompt }, AbortSignal.timeout(60_000));
 * ```
 */
export async function openGgufTextModel(
  files: ModelFiles,
  options: EngineOptions,
  draft?: ModelFiles,
): Promise<LanguageModel> {
  const name = findGgufFile(files);
  if (name === undefined) throw new Error("Cannot open a GGUF model: it has no .gguf file, expected one");
  const device = deviceFor("llama", options.device);
  // It takes a second, most of which is waiting; the header is read meanwhile.
  const library = openLlama(device, options.missing, options.keepTests);
  library.catch(() => {});
  const metadata = await readGgufMetadata(files, name);
  const projector = await readProjector(files);
  const plain = ggufProfile(metadata, name);
  const profile = projector === undefined ? plain : withImages(plain);
  const context = Math.min(options.context, profile.context);
  const tokenBytes = kvBytes(metadata);
  const drafting = draft && await readDraft(draft, metadata);
  // A GPU may exist and yet be too small, or its driver broken.
  const best = device === "auto" ? (await library).device : device;
  const devices = device === "auto" && best !== "cpu" ? ["auto", "cpu"] : [device];
  const open = async (one: string): Promise<OpenedPair> => {
    const chat = await openOn(one, files.path(name), { ...options, context }, tokenBytes);
    try {
      return { ...chat, draft: drafting && await openDraft(one, drafting, chat.pool, { ...options, context }) };
    } catch (error) {
      await chat.model.dispose();
      throw error;
    }
  };
  const { value: opened, tried } = await firstThatWorks(devices, open);
  const images = projector && openPromptImages({
    ...{ files, name, projector, metadata, model: opened.model, device: opened.device },
    options: { ...options, context, threads: threadsOf((await library).llama, options) },
  });
  return new GgufTextModel({
    ...opened,
    images,
    tried: tried.map(({ reason }) => ({ device: best, reason })),
    profile: { ...profile, context },
    template: ggufTemplate(metadata),
    vocabulary: ggufVocabulary(metadata),
    openConstrainer: options.openConstrainer,
  });
}

interface OpenedPair extends Opened {
  readonly draft: DraftModel | undefined;
}

interface Opened {
  readonly device: string;
  readonly model: LlamaModel;
  readonly pool: SequencePool;
}

async function openOn(
  name: string,
  modelPath: string,
  options: EngineOptions,
  tokenBytes: number,
): Promise<Opened> {
  const { llama, device, attempt } = await openLlama(name, options.missing, options.keepTests);
  let model: LlamaModel | undefined;
  try {
    const loaded = model = await attempt(() => llama.loadModel({ modelPath, onLoadProgress: options.onProgress }));
    const { concurrency: size, context: max, prefixCache: reuse } = options;
    const create = async (tokens: number, more: number): Promise<LlamaContext> => {
      const context = await attempt(() =>
        loaded.createContext({
          ...contextOptions(llama, tokens, size + more, options),
          ignoreMemorySafetyChecks: tokens * (size + more) * tokenBytes <= UNCHECKED_BYTES,
        })
      );
      keepThreads(context);
      return context;
    };
    const open = async (tokens: number): Promise<LlamaContext> => {
      const more = reuse ? keptSequences(tokens * tokenBytes) : 0;
      // Where memory is short, fewer chats are kept.
      return more === 0 ? await create(tokens, 0) : await create(tokens, more).catch(() => create(tokens, 0));
    };
    const pool = new SequencePool({ open, size, max, reuse });
    await pool.open();
    return { device, model, pool };
  } catch (cause) {
    await model?.dispose();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot open ${modelPath}: llama.cpp says "${reason}", ${WITHIN}`, { cause });
  }
}

/** The file of a draft model, and the tokens of its texts. */
interface Drafting {
  readonly path: string;
  readonly context: number;
  readonly tokenBytes: number;
}

async function readDraft(files: ModelFiles, model: GgufMetadata): Promise<Drafting> {
  const name = findGgufFile(files);
  if (name === undefined) throw cannotDraft("it has no .gguf file");
  const metadata = await readGgufMetadata(files, name);
  checkDraftVocabulary(model, metadata);
  return { path: files.path(name), context: ggufProfile(metadata, name).context, tokenBytes: kvBytes(metadata) };
}

async function openDraft(
  device: string,
  { path, tokenBytes, context: own }: Drafting,
  chat: SequencePool,
  options: EngineOptions,
): Promise<DraftModel> {
  const context = Math.min(own, options.context);
  const plain = { ...options, context, kvCacheMode: "default", lora: undefined, onProgress: () => {} } as const;
  const draft = new DraftModel({ ...await openOn(device, path, plain, tokenBytes), context });
  if (!chat.needsCheckpoints && !draft.needsCheckpoints) return draft;
  await draft.close();
  const which = chat.needsCheckpoints ? "the model" : "it";
  throw cannotDraft(`${which} keeps a state that cannot go back to an earlier token, expected keys and values of each`);
}

/** Up to here a context is simply allocated: computing whether it fits takes llama.cpp a quarter of a second. */
const UNCHECKED_BYTES = 768 * 2 ** 20;

/** Memory for what was said in chats besides those that run, and the number of such chats. */
const KEPT_BYTES = 512 * 2 ** 20;
const MAX_KEPT = 3;

/** Its threads spin while they wait: one more than the number of idle cores delays all of them. */
function threadsOf(llama: Llama, { threads }: EngineOptions): number {
  return threads ?? Math.max(1, llama.cpuMathCores - 1);
}

/** How many more sequences of this size are kept, so that chats which take turns do not evict each other. */
function keptSequences(bytes: number): number {
  return Math.min(MAX_KEPT, Math.floor(KEPT_BYTES / bytes));
}

function contextOptions(llama: Llama, tokens: number, sequences: number, options: EngineOptions): LlamaContextOptions {
  const type = kvTypes[options.kvCacheMode];
  return {
    contextSize: tokens,
    sequences,
    batchSize: BATCH,
    threads: threadsOf(llama, options),
    failedCreationRemedy: false,
    ...type === undefined
      ? {}
      : { experimentalKvCacheKeyType: type, experimentalKvCacheValueType: type, flashAttention: true },
    ...options.lora === undefined ? {} : { lora: options.lora },
  };
}
