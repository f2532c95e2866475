/**
 * Token sequences of encoders: within their limits, and in batches of similar length.
 *
 * @module
 */
import { minTokens } from "../text/chat_prompt.ts";
import type { Prepare } from "../contract/operation.ts";
import { invalidRequest } from "../../errors/svc_error.ts";

/** The tokens of one text, or of a pair of texts. */
export interface TokenSequence {
  readonly ids: readonly number[];
  /** Which text of a pair each token belongs to. */
  readonly types: readonly number[];
}

/** Maximum number of tokens of a sequence. */
export const MAX_SEQUENCE_TOKENS = 8192;

/** The context of an encoding. */
interface EncodePurpose {
  /** Maximum number of tokens of a sequence; never more than {@linkcode MAX_SEQUENCE_TOKENS}. */
  readonly context: number;
  /** The action and the text, such as `embed input[2]`. */
  readonly what: string;
  /** Path of the text in the request. */
  readonly param: string;
  /** Whether there are tokens around the text, so that it may have none. */
  readonly framed?: boolean;
}

/** The purpose of a document that is ranked. */
export function documentPurpose(index: number, context: number): EncodePurpose {
  return { context, what: `rank documents[${index}] with the query`, param: `documents[${index}]`, framed: true };
}

/** How texts are encoded, besides the texts. */
export interface EncodingOptions {
  /** Runs what turns texts into tokens; at once when left out. */
  readonly prepare?: Prepare;
}

/** {@linkcode EncodingOptions.prepare} of callers without a process. */
export const prepareAtOnce: Prepare = (work) => work();

/** Milliseconds after which other requests get a turn. */
const TURN = 20;

/**
 * Makes the sequences of texts one after another; other requests run between them.
 *
 * @param purposeOf The purpose of a text by its index.
 * @throws {SvcError} as {@linkcode sequenceWithin}.
 * @throws the reason of `signal` when it aborts.
 */
export async function sequencesWithin(
  encode: (text: string) => TokenSequence,
  texts: readonly string[],
  purposeOf: (index: number) => EncodePurpose,
  signal: AbortSignal,
): Promise<TokenSequence[]> {
  const sequences: TokenSequence[] = [];
  let began = performance.now();
  for (const [i, text] of texts.entries()) {
    if (performance.now() - began > TURN) {
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
    signal.throwIfAborted();
    sequences.push(sequenceWithin(encode, text, purposeOf(i)));
  }
  return sequences;
}

/**
 * Makes the sequence of a text, or refuses one that is too long. Of an excessively long text only the beginning is
 * encoded: megabytes would take seconds.
 *
 * @throws {SvcError} `context_length_exceeded` with both numbers, `empty_text` for a text that has no tokens.
 */
export function sequenceWithin(
  encode: (text: string) => TokenSequence,
  text: string,
  purpose: EncodePurpose,
): TokenSequence {
  const { what, param } = purpose;
  const max = Math.min(purpose.context, MAX_SEQUENCE_TOKENS);
  const tooLong = (count: string) =>
    invalidRequest("context_length_exceeded", `Cannot ${what}: it has ${count} tokens, expected at most ${max}`, param);
  const min = minTokens((part) => encode(part).ids.length, text, max);
  if (min !== undefined) throw tooLong(`at least ${min}`);
  const sequence = encode(text);
  if (sequence.ids.length > max) throw tooLong(String(sequence.ids.length));
  if (sequence.ids.length > 0 || purpose.framed === true) return sequence;
  throw invalidRequest("empty_text", `Cannot ${what}: it has no tokens, expected a text`, param);
}

/** Maximum number of tokens of a batch, including padding. */
const MAX_BATCH_TOKENS = 8192;

/**
 * Packs sequences of similar length together, to minimize padding.
 *
 * @param lengths Tokens of each sequence.
 * @param max Maximum of sequences of a batch times its longest one; a longer sequence gets a batch of its own.
 * @returns The indices of the sequences of each batch, longest first.
 */
export function packSequences(lengths: readonly number[], max: number = MAX_BATCH_TOKENS): number[][] {
  const order = Array.from(lengths, (_, i) => i).sort((a, b) => lengths[b] - lengths[a] || a - b);
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of order) {
    // The first sequence of a batch is its longest.
    if (batch.length > 0 && (batch.length + 1) * lengths[batch[0]] > max) batches.push(batch = []);
    if (batches.length === 0) batches.push(batch);
    batch.push(index);
  }
  return batches;
}

/**
 * Runs sequences in batches of similar length.
 *
 * @param run Returns one result per sequence of a batch.
 * @returns The results in the order of the sequences.
 * @throws the reason of `signal` when it aborts, at the latest after the current batch.
 */
export async function runBatches<T>(
  sequences: readonly TokenSequence[],
  run: (batch: readonly TokenSequence[]) => Promise<readonly T[]>,
  signal: AbortSignal,
): Promise<T[]> {
  const results: T[] = new Array(sequences.length);
  for (const indices of packSequences(sequences.map(({ ids }) => ids.length))) {
    signal.throwIfAborted();
    const found = await run(indices.map((index) => sequences[index]));
    for (const [i, index] of indices.entries()) results[index] = found[i];
  }
  signal.throwIfAborted();
  return results;
}
