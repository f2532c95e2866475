/**
 * The images of prompts for GGUF models.
 *
 * @module
 */
import type { LlamaContextSequence, LlamaModel } from "node-llama-cpp";
import { invalidRequest, modelUnavailable, SvcError } from "../../../errors/svc_error.ts";
import { writeFile } from "../../../platform/files/file_system.ts";
import { makeTemporaryDirectory } from "../../../platform/files/work_folder.ts";
import { join } from "../../../platform/files/paths.ts";
import type { PromptImage } from "../../contract/language_model.ts";
import { ImageReader } from "./image_reader.ts";
import { type PreparedImage, prepareImage } from "./prepare_image.ts";
import { type GgufMetadata, textField } from "../gguf_metadata.ts";
import { MEDIA_MARK } from "./reader_service.ts";
import type { EngineOptions, ModelFiles } from "../../contract/engine_entry.ts";
import type { Projector } from "../gguf_file.ts";
import type { KvCacheMode } from "../../contract/model_profile.ts";

/** Dependencies of {@linkcode PromptImages}. */
interface PromptImagesParts {
  readonly reader: ImageReader;
  readonly encode: (text: string) => readonly number[];
  /** What the reader writes before every text by itself; empty for nothing. */
  readonly begin: string;
  /** Whether the tokens of an image share positions, in rows and columns. */
  readonly planar: boolean;
}

/** A prompt up to the end of its last image. */
interface ImageText {
  readonly text: string;
  readonly images: readonly PreparedImage[];
  readonly ids: readonly number[];
  /** Places that images take besides their positions, at most. */
  extra: number;
}

/** Lists of images whose ids are remembered. */
const MAX_KNOWN = 64;

/** Cannot be seen, and splits what would stand for an image. */
const JOINER = "\u2060";

/**
 * Makes tokens of prompts with images, and their keys and values: another process evaluates a prompt up to the end of
 * its last image, and the state that it leaves continues in a sequence of the model.
 */
export class PromptImages {
  /** Stands for an image in a rendered prompt. Nobody can write it: it is another one in each process. */
  readonly mark: string = `image-${crypto.randomUUID()}`;
  readonly #parts: PromptImagesParts;
  readonly #texts = new WeakMap<readonly number[], string>();
  readonly #prompts = new WeakMap<readonly number[], ImageText>();
  /** First ids of lists of images and what they take besides, the least recently used first. */
  readonly #known = new Map<string, { readonly first: number; extra: number | undefined }>();
  #nextId = -1;

  constructor(parts: PromptImagesParts) {
    this.#parts = parts;
  }

  /** Remembers the text of tokens, which the reader needs. */
  wrote(ids: readonly number[], text: string): void {
    if (text.includes(this.mark)) this.#texts.set(ids, text);
  }

  /**
   * Replaces the marks of a prompt by negative ids, one for each position.
   *
   * @throws {SvcError} `images_not_placed`, `invalid_image`, `model_unavailable`.
   */
  async place(written: readonly number[], images: readonly PromptImage[], signal: AbortSignal): Promise<number[]> {
    const pieces = (this.#texts.get(written) ?? "").split(this.mark);
    const marks = pieces.length - 1;
    if (marks !== images.length) {
      const message = `Cannot complete the chat: the prompt has ${marks} image placeholders, ` +
        `expected ${images.length}, one for each image of the messages`;
      throw invalidRequest("images_not_placed", message, "messages");
    }
    const prepared: PreparedImage[] = [];
    for (const image of images) {
      signal.throwIfAborted();
      prepared.push(await prepareImage(image));
    }
    const tail = this.#parts.encode(pieces.pop() as string);
    if (tail.length === 0) {
      const message = "Cannot complete the chat: the model's template ends with an image, expected text after it";
      throw new SvcError("template_failed", message);
    }
    // A user may write the mark of the library too.
    const split = MEDIA_MARK.slice(0, 3) + JOINER + MEDIA_MARK.slice(3);
    const text = pieces.map((piece) => piece.replaceAll(MEDIA_MARK, split) + MEDIA_MARK).join("");
    const begun = text.startsWith(this.#parts.begin) ? text.slice(this.#parts.begin.length) : text;
    const { tokens, starts } = await withFiles(
      prepared,
      (files) => this.#parts.reader.ask("tokenize", { text: begun, images: files }, signal),
    );
    const list = this.#list(prepared, tokens);
    let seen = 0;
    const ids = Array.from(tokens, (id) => id < 0 ? list.first - seen++ : id);
    const extra = list.extra ?? (this.#parts.planar ? mostExtra(tokens, starts, prepared) : 0);
    const placed = [...ids, ...tail];
    this.#prompts.set(placed, { text: begun, images: prepared, ids, extra });
    return placed;
  }

  /**
   * Where a chat about the same images continues at the earliest, also where no token can be taken back: after a token of
   * text, as those of an image may share positions. Undefined for prompts without images.
   */
  stablePrefix(prompt: readonly number[]): number | undefined {
    const found = this.#prompts.get(prompt);
    return found && found.ids.length + 1;
  }

  /** Places that a prompt takes besides its positions. */
  extra(prompt: readonly number[]): number {
    return this.#prompts.get(prompt)?.extra ?? 0;
  }

  /**
   * Puts the state of a prompt up to its last image into a sequence that does not have it.
   *
   * @throws {SvcError} `model_unavailable` when it cannot be evaluated.
   * @throws the reason of `signal` when it aborts, before the sequence changes.
   */
  async load(prompt: readonly number[], sequence: LlamaContextSequence, signal: AbortSignal): Promise<boolean> {
    const found = this.#prompts.get(prompt);
    if (found === undefined || !found.ids.some((id, at) => id < 0 && at >= sequence.nextTokenIndex)) return false;
    await withFiles(found.images, async (images, folder) => {
      const file = join(folder, "state");
      const { text, ids } = found;
      const sequences = sequence.context.totalSequences;
      const evaluation = { text, images, file, sequences, ids };
      const { positions, cells } = await this.#parts.reader.ask("evaluate", evaluation, signal);
      found.extra = cells - positions;
      const list = this.#known.get(listKey(found.images));
      if (list !== undefined) list.extra = found.extra;
      await sequence.loadStateFromFile(file, { acceptRisk: true }).catch((cause) => {
        const message = `Cannot read the images: llama.cpp did not take over what was read of them (${
          cause instanceof Error ? cause.message : cause
        }), expected keys and values of the same kind: choose another device or kvCacheMode`;
        throw modelUnavailable("model_unavailable", message, cause);
      });
    });
    return true;
  }

  async stop(): Promise<void> {
    await this.#parts.reader.stop();
  }

  /** The same images get the same ids, so that sequences that hold them are found. */
  #list(images: readonly PreparedImage[], tokens: Int32Array): { readonly first: number; extra: number | undefined } {
    const key = listKey(images);
    const list = this.#known.get(key) ?? { first: this.#nextId, extra: undefined };
    if (!this.#known.has(key)) this.#nextId -= tokens.reduce((count, id) => count + (id < 0 ? 1 : 0), 0);
    this.#known.delete(key);
    this.#known.set(key, list);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#known.delete(oldest);
    }
    return list;
  }
}

/** The library takes names of files. They are removed by this process: the one that reads them may be ended. */
async function withFiles<T>(
  images: readonly PreparedImage[],
  work: (paths: readonly string[], folder: string) => Promise<T>,
): Promise<T> {
  const folder = await makeTemporaryDirectory();
  try {
    const paths = images.map((_, i) => join(folder.path, `${i}.ppm`));
    await Promise.all(images.map(({ file }, i) => writeFile(paths[i], file)));
    return await work(paths, folder.path);
  } finally {
    await folder.remove();
  }
}

function listKey(images: readonly PreparedImage[]): string {
  return images.map(({ key }) => key).join();
}

/**
 * How many more places than positions images take at most: a grid has as many positions as its longer side, and sides
 * about as long as those of the image.
 */
function mostExtra(tokens: Int32Array, starts: readonly number[], images: readonly PreparedImage[]): number {
  let extra = 0;
  starts.forEach((start, i) => {
    const next = starts[i + 1] ?? tokens.length;
    let longer = 0;
    while (start + longer < next && tokens[start + longer] < 0) longer++;
    const { width, height } = images[i] ?? { width: 1, height: 1 };
    const ratio = Math.min(width, height) / Math.max(width, height);
    extra += longer * (Math.min(longer, Math.ceil(longer * ratio) + 1) - 1);
  });
  return extra;
}

/** A model that is open, and its projector. */
interface OpenedModel {
  readonly files: ModelFiles;
  /** Of its weights. */
  readonly name: string;
  readonly projector: Projector;
  readonly metadata: GgufMetadata;
  readonly model: LlamaModel;
  readonly device: string;
  readonly options: EngineOptions & { readonly threads: number };
}

/** Of cached keys and values in less than 16 bits, as the library calls them. */
const kvTypes: Readonly<Partial<Record<KvCacheMode, string>>> = { affine8: "q8_0", affine4: "q4_0" };

/** Tokens at once. */
const BATCH = 512;

/** Kinds whose images have up to so many tokens that see each other, and so are evaluated at once. */
const wide = new Map([["gemma4v", 1152], ["gemma4uv", 1152]]);

/** Nothing is started until there is an image. */
export function openPromptImages(opened: OpenedModel): PromptImages {
  const { files, name, projector, metadata, model, device, options } = opened;
  const { bosString, shouldPrependBosToken } = model.tokens;
  const reader = new ImageReader({
    model: files.path(name),
    projector: files.path(projector.name),
    lora: options.lora,
    device,
    threads: options.threads,
    kvType: kvTypes[options.kvCacheMode] ?? "f16",
    batch: wide.get(projector.kind) ?? BATCH,
    context: options.context,
  });
  return new PromptImages({
    reader,
    encode: (text) => model.tokenize(text, true),
    begin: shouldPrependBosToken ? bosString ?? "" : "",
    planar: metadata.has(`${textField(metadata, "general.architecture")}.rope.dimension_sections`),
  });
}
