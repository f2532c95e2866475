/**
 * Check of subtitles against `srt_vtt.json`.
 *
 * @module
 */
import * as v from "valibot";
import { subRip, webVtt } from "../../../lib/protocol/transcription/subtitles.ts";
import type { Comparison } from "../golden.ts";

const fileSchema = v.object({
  cases: v.array(v.object({
    name: v.string(),
    segments: v.array(v.object({ start: v.number(), end: v.number(), text: v.string() })),
    duration: v.number(),
    text: v.string(),
    srt: v.string(),
    vtt: v.string(),
    accept_srt: v.array(v.string()),
    accept_vtt: v.array(v.string()),
  })),
});

/** Every case in both formats. */
export function checkSubtitles(json: unknown): Comparison[] {
  return v.parse(fileSchema, json).cases.flatMap((one) => [
    comparison(`srt ${one.name}`, subRip(one), [one.srt, ...one.accept_srt]),
    comparison(`vtt ${one.name}`, webVtt(one), [one.vtt, ...one.accept_vtt]),
  ]);
}

function comparison(name: string, actual: string, accepted: readonly string[]): Comparison {
  const bare = (text: string) => text.replace(/[\r\n]+$/, "");
  return { name, maxAbs: accepted.some((text) => bare(text) === bare(actual)) ? 0 : Infinity, tolerance: 0 };
}
