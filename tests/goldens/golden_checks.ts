/**
 * Runs golden files against our modules.
 *
 * @module
 */
import { byteSource, type Device, openSafetensors, type TensorFile } from "../../lib/compute/tensor/mod.ts";
import type { Check, Checks, JsonCheck } from "./check.ts";
import { checkActionCanvas } from "./checks/action_canvas_check.ts";
import { actionClipChecks } from "./checks/action_clip_checks.ts";
import { actionLayerChecks } from "./checks/action_layer_checks.ts";
import { actionModelChecks } from "./checks/action_model_checks.ts";
import { checkActionRows } from "./checks/action_rows_check.ts";
import { attentionChecks } from "./checks/attention_checks.ts";
import { imageMathChecks } from "./checks/image_math_checks.ts";
import { checkImageNames } from "./checks/image_names_check.ts";
import { imageNetworkChecks } from "./checks/image_network_checks.ts";
import { imagePipelineChecks } from "./checks/image_pipeline_checks.ts";
import { layerChecks } from "./checks/layer_checks.ts";
import { checkManifestCases, checkManifestFile } from "./checks/manifest_check.ts";
import { modelChecks } from "./checks/model_checks.ts";
import { pictureChecks } from "./checks/picture_checks.ts";
import { rolloutChecks } from "./checks/rollout_checks.ts";
import { checkSceneMemory } from "./checks/scene_memory_check.ts";
import { checkSubtitles } from "./checks/subtitles_check.ts";
import { textChecks } from "./checks/text_checks.ts";
import { transcriptionChecks } from "./checks/transcription_checks.ts";
import { checkTrajectories } from "./checks/trajectory_check.ts";
import { vaeChecks } from "./checks/vae_checks.ts";
import { checkVaeNames } from "./checks/vae_names_check.ts";
import { zimageChecks } from "./checks/zimage_checks.ts";
import { checkWhisperDecode } from "./checks/whisper_decode_check.ts";
import { checkHibariPhonemes, speechChecks } from "./checks/speech_checks.ts";
import { visionChecks, visionJsonChecks } from "./checks/vision/vision_checks.ts";
import { type Comparison, Golden, GoldenSkip } from "./golden.ts";
import { jsonText, PACKED, unpackGolden } from "./packed/packed_golden.ts";
import { LayerCounter, unboundedInHalf } from "./half_tolerance.ts";

const checks: Checks = {
  ...textChecks,
  ...layerChecks,
  ...attentionChecks,
  ...modelChecks,
  ...vaeChecks,
  ...pictureChecks,
  ...rolloutChecks,
  ...actionLayerChecks,
  ...actionModelChecks,
  ...actionClipChecks,
  ...transcriptionChecks,
  ...speechChecks,
  aw_canvas: checkActionCanvas,
  ...imageMathChecks,
  ...imageNetworkChecks,
  ...imagePipelineChecks,
  ...zimageChecks,
  ...visionChecks,
};

/** By the start of their names, or by a whole name. */
const jsonChecks: readonly (readonly [string, JsonCheck])[] = [
  ["arworld_trajectories", checkTrajectories],
  ["scene_memory", checkSceneMemory],
  ["action_rows", checkActionRows],
  ["vae_name_map", checkVaeNames],
  ["hibari_g2p", checkHibariPhonemes],
  ["srt_vtt", checkSubtitles],
  ["whisper_decode", checkWhisperDecode],
  ["names.json", checkImageNames],
  ["cases", checkManifestCases],
  ...visionJsonChecks,
];

/** What came out of one golden file. */
export interface GoldenResult {
  readonly verdict: "PASS" | "FAIL" | "SKIP";
  readonly comparisons: readonly Comparison[];
  /** Why it was skipped or could not be compared. */
  readonly reason?: string;
  /** What could not be compared on this machine, and why; the verdict is about all else. */
  readonly leftOut?: string;
}

/** Runs the golden file `name` with these bytes. */
export async function runGolden(name: string, bytes: Uint8Array, device: Device): Promise<GoldenResult> {
  try {
    return /\.json(\.br)?$/.test(name) ? await runJson(name, bytes) : await runTensors(name, bytes, device);
  } catch (error) {
    if (error instanceof GoldenSkip) return skip(error.message);
    return { verdict: "FAIL", comparisons: [], reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The comparison that comes closest to its tolerance or lies furthest beyond it. */
export function worstOf(comparisons: readonly Comparison[]): Comparison | undefined {
  const excess = ({ maxAbs, tolerance }: Comparison) => (maxAbs === 0 ? 0 : maxAbs / tolerance);
  return comparisons.reduce<Comparison | undefined>(
    (worst, c) => (worst && excess(worst) >= excess(c) ? worst : c),
    undefined,
  );
}

/** Whether a comparison is within its tolerance. */
export function isWithin({ maxAbs, tolerance }: Comparison): boolean {
  return maxAbs <= tolerance;
}

async function runJson(name: string, bytes: Uint8Array): Promise<GoldenResult> {
  const text = jsonText(name, bytes);
  const check = jsonChecks.find(([start]) => basename(name).startsWith(start))?.[1];
  const comparisons = check ? await check(JSON.parse(text)) : checkManifestFile(name, text);
  return comparisons ? judge({ comparisons, uncompared: [], leftOut: undefined }) : skip("no module for this file yet");
}

async function runTensors(name: string, bytes: Uint8Array, device: Device): Promise<GoldenResult> {
  const file = await openSafetensors(name, byteSource(name.endsWith(PACKED) ? unpackGolden(bytes) : bytes));
  const check = checks[stem(name)] ?? checks[file.metadata.get("kind") ?? ""];
  if (!check) return skip("no module for this file yet");
  if (device.precision === "f16") return await runInHalf(stem(name), file, check, device);
  const golden = await Golden.read(file);
  await check(golden, device);
  return judge(golden);
}

/**
 * By how much the check of a safetensors file lets each of its outputs differ, as far as it says so in numbers. A file
 * that is compared elsewhere says so itself.
 */
export async function tolerancesOf(
  name: string,
  bytes: Uint8Array,
  device: Device,
): Promise<ReadonlyMap<string, number>> {
  const file = await openSafetensors(name, byteSource(bytes));
  const said = file.metadata.get("tolerances");
  if (said !== undefined) return new Map(Object.entries(JSON.parse(said) as Record<string, number>));
  const golden = await Golden.read(file);
  await checks[stem(name)]?.(golden, device);
  return golden.tolerances;
}

/** Where the device has 16-bit floats, tolerances grow with the layers that were run. */
async function runInHalf(name: string, file: TensorFile, check: Check, device: Device): Promise<GoldenResult> {
  const counter = new LayerCounter(device);
  const golden = await Golden.read(file, () => counter.tolerance);
  await check(golden, counter);
  const unbounded = unboundedInHalf(name);
  const { comparisons, uncompared, leftOut } = golden;
  const bounded = comparisons.filter((c) => !unbounded?.outputs.test(c.name));
  const result = judge({ comparisons: bounded, uncompared, leftOut });
  return unbounded && result.verdict === "PASS"
    ? { ...result, reason: `without ${unbounded.outputs.source}: ${unbounded.why}` }
    : result;
}

/** A golden passes when everything in it was compared and agrees; one of which nothing was compared fails too. */
function judge(
  { comparisons, uncompared, leftOut }: Pick<Golden, "comparisons" | "uncompared" | "leftOut">,
): GoldenResult {
  if (uncompared.length > 0 || comparisons.length === 0) {
    return { verdict: "FAIL", comparisons, reason: `nothing was compared with ${uncompared.join(", ") || "the file"}` };
  }
  const verdict = comparisons.every(isWithin) ? "PASS" : "FAIL";
  return { verdict, comparisons, ...(leftOut !== undefined && { leftOut }) };
}

function skip(reason: string): GoldenResult {
  return { verdict: "SKIP", comparisons: [], reason };
}

function stem(name: string): string {
  return basename(name).replace(/\.\w+$/, "");
}

function basename(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
