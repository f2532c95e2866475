/**
 * The segments of a window.
 *
 * @module
 */
import { TIMESTAMP_SECONDS, type WhisperTokens } from "./whisper_tokens.ts";

/** A part of a window's text. */
export interface WindowSegment {
  /** Seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
  /** All tokens, timestamps included. */
  readonly tokens: readonly number[];
  /** The tokens that are text. */
  readonly textTokens: readonly number[];
}

/** Result of a window. */
export interface SplitWindow {
  readonly segments: readonly WindowSegment[];
  /** Frames of 10 ms to the start of the next window. */
  readonly advance: number;
}

/** Frames in a second. */
const FRAMES = 100;

/**
 * Cuts the tokens of a window at its pairs of timestamps. What comes after the last pair is transcribed again in the
 * next window, unless a single timestamp at the end says that nothing does.
 *
 * @param tokens Without the end token.
 * @param windowStart Seconds.
 * @param windowFrames Frames of sound that the window has.
 */
export function splitWindow(
  tokens: readonly number[],
  windowStart: number,
  windowFrames: number,
  { timestampBegin, end }: WhisperTokens,
): SplitWindow {
  const isTimestamp = (token: number) => token >= timestampBegin;
  const seconds = (token: number) => (token - timestampBegin) * TIMESTAMP_SECONDS;
  const segment = (from: number, to: number, part: readonly number[]): WindowSegment => ({
    start: windowStart + from,
    end: windowStart + to,
    tokens: part,
    textTokens: part.filter((token) => token < end),
  });
  const count = tokens.length;
  const endsSingle = count >= 2 && isTimestamp(tokens[count - 1]) && !isTimestamp(tokens[count - 2]);
  const cuts = tokens.flatMap((token, i) => i > 0 && isTimestamp(token) && isTimestamp(tokens[i - 1]) ? [i] : []);
  if (cuts.length === 0) {
    const last = tokens.findLast(isTimestamp);
    const length = last === undefined || last === timestampBegin ? windowFrames / FRAMES : seconds(last);
    return { segments: [segment(0, length, tokens)], advance: windowFrames };
  }
  if (endsSingle) cuts.push(count);
  const segments = cuts.map((cut, i) => {
    const part = tokens.slice(cuts[i - 1] ?? 0, cut);
    return segment(seconds(part[0]), seconds(part[part.length - 1]), part);
  });
  const lastEnd = tokens[cuts[cuts.length - 1] - 1];
  const advance = endsSingle ? windowFrames : Math.round(seconds(lastEnd) * FRAMES);
  return { segments, advance };
}
