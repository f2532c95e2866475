/**
 * What an engine asks of the process that reads its images.
 *
 * @module
 */
import type { Method } from "../../../platform/rpc/rpc_service.ts";

/** How the model is opened. Plain data: it is sent to the process. */
export interface ReaderSettings {
  /** Absolute paths of model, projector and adapter. */
  readonly model: string;
  readonly projector: string;
  readonly lora: string | undefined;
  /** Such as `cpu` or `cuda`; where it does not work, the CPU is used. */
  readonly device: string;
  readonly threads: number;
  /** Type of cached keys and values, such as `f16`. */
  readonly kvType: string;
  /** Tokens that are evaluated at once: at least those of an image whose tokens see each other. */
  readonly batch: number;
  /** Maximum number of tokens of a text. */
  readonly context: number;
}

/** A text with a {@linkcode MEDIA_MARK} for each image. */
export interface MarkedText {
  readonly text: string;
  /** Absolute paths, in the order of their marks: PPM files, which cost nothing to decode. */
  readonly images: readonly string[];
}

/** What stands for an image. */
export const MEDIA_MARK = "<__media__>";

/** A text to evaluate. */
export interface Evaluation extends MarkedText {
  /** For the state of the text, as a context of so many sequences reads it. */
  readonly file: string;
  readonly sequences: number;
  /** Ids of the positions, which take the place of the library's in the file. */
  readonly ids: readonly number[];
}

/** Tokens of a text. */
export interface ReadTokens {
  /** -1 for each position of an image. */
  readonly tokens: Int32Array;
  /** Where images, or pieces of images, begin. */
  readonly starts: readonly number[];
}

/** What was evaluated. */
export interface ReadText {
  /** Of the beginning of the text that the state has: at least to the end of its last image. */
  readonly positions: number;
  readonly cells: number;
}

/** The calls of the process: first `open`, then one text after the other. */
export type ReaderService = {
  readonly open: Method<readonly [ReaderSettings]>;
  readonly tokenize: Method<readonly [MarkedText], ReadTokens>;
  readonly evaluate: Method<readonly [Evaluation], ReadText>;
};
