/**
 * Keeps the colours of a long walk: every frame gets the mean and spread of a target frame in Lab space (Reinhard et
 * al. 2001, "Color transfer between images").
 *
 * The target of the first block of a chain is its own frame 0; the target of each later block is the last frame shown
 * before it, already corrected. Lab is CIE 1976 with the D65 white point, from sRGB.
 *
 * @module
 */

/** Mean and population standard deviation of L, a and b over a frame: mL, ma, mb, sL, sa, sb. */
export type LabStatistics = Float64Array;

/** How the frames of {@linkcode matchColours} are laid out. */
export interface ColourFrames {
  /** RGB of all frames, 0 to 255, `[frames, pixels, 3]`; changed in place. */
  readonly data: Float32Array;
  readonly frames: number;
  /** 0 keeps the frames, 1 takes over the target's colours fully. */
  readonly strength: number;
}

// Linear sRGB to XYZ and back (IEC 61966-2-1), with X and Z divided by the D65 white point.
const XN = 0.950456;
const ZN = 1.088754;

// The curves are read from tables, linearly between entries: a power takes longer than all else together. The steps
// keep the error of a way to Lab and back below 0.01 of 255.
const BYTE_STEPS = 255 * 16;
const UNIT_STEPS = 1 << 14;
const srgbToLinear = lazyCurve(BYTE_STEPS, (x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
const linearToSrgb = lazyCurve(
  UNIT_STEPS,
  (x) => 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055),
);
const labCurve = lazyCurve(UNIT_STEPS, (x) => x > 0.008856 ? Math.cbrt(x) : 7.787 * x + 16 / 116);

/** Samples a curve over 0..1 when it is first needed, with one entry beyond 1 for interpolation. */
function lazyCurve(steps: number, curve: (x: number) => number): () => Float64Array {
  let table: Float64Array | undefined;
  return () => table ??= Float64Array.from({ length: steps + 2 }, (_, i) => curve(i / steps));
}

/**
 * Moves the colours of all frames of a block towards the target and returns the statistics of its last frame, which
 * are the target of the next block.
 *
 * @param target What the block before returned; undefined for the first block of a chain.
 */
export function matchColours({ data, frames, strength }: ColourFrames, target?: LabStatistics): LabStatistics {
  const size = data.length / frames;
  const lab = new Float32Array(size);
  for (let frame = 0; frame < frames; frame++) {
    const rgb = data.subarray(frame * size, (frame + 1) * size);
    toLab(rgb, lab);
    const source = statistics(lab);
    target ??= source;
    blendTowards(rgb, lab, source, target, strength);
  }
  toLab(data.subarray((frames - 1) * size), lab);
  return statistics(lab);
}

/** Lab of RGB pixels 0 to 255: L 0 to 100, a and b about -128 to 127. */
export function rgbToLab(rgb: Float32Array): Float32Array {
  const lab = new Float32Array(rgb.length);
  toLab(rgb, lab);
  return lab;
}

function toLab(rgb: Float32Array, lab: Float32Array): void {
  const decode = srgbToLinear();
  const curve = labCurve();
  for (let i = 0; i < rgb.length; i += 3) {
    const r = read(decode, rgb[i] * (BYTE_STEPS / 255), BYTE_STEPS);
    const g = read(decode, rgb[i + 1] * (BYTE_STEPS / 255), BYTE_STEPS);
    const b = read(decode, rgb[i + 2] * (BYTE_STEPS / 255), BYTE_STEPS);
    const x = read(curve, ((0.412453 * r + 0.357580 * g + 0.180423 * b) / XN) * UNIT_STEPS, UNIT_STEPS);
    const y = read(curve, (0.212671 * r + 0.715160 * g + 0.072169 * b) * UNIT_STEPS, UNIT_STEPS);
    const z = read(curve, ((0.019334 * r + 0.119193 * g + 0.950227 * b) / ZN) * UNIT_STEPS, UNIT_STEPS);
    lab[i] = 116 * y - 16;
    lab[i + 1] = 500 * (x - y);
    lab[i + 2] = 200 * (y - z);
  }
}

/** rgb <- rgb + strength (corrected - rgb), where corrected has the mean and spread of the target. */
function blendTowards(
  rgb: Float32Array,
  lab: Float32Array,
  source: LabStatistics,
  target: LabStatistics,
  strength: number,
): void {
  const encode = linearToSrgb();
  // A frame of one flat colour has no spread to scale.
  const [sl, sa, sb] = [3, 4, 5].map((c) => source[c] > 1e-6 ? target[c] / source[c] : 1);
  const [ml, ma, mb] = [target[0] - source[0] * sl, target[1] - source[1] * sa, target[2] - source[2] * sb];
  for (let i = 0; i < rgb.length; i += 3) {
    const fy = (lab[i] * sl + ml + 16) * (1 / 116);
    const x = XN * cubeOfLab(fy + (lab[i + 1] * sa + ma) * (1 / 500));
    const y = cubeOfLab(fy);
    const z = ZN * cubeOfLab(fy - (lab[i + 2] * sb + mb) * (1 / 200));
    const r = read(encode, (3.240479 * x - 1.537150 * y - 0.498535 * z) * UNIT_STEPS, UNIT_STEPS);
    const g = read(encode, (-0.969256 * x + 1.875991 * y + 0.041556 * z) * UNIT_STEPS, UNIT_STEPS);
    const b = read(encode, (0.055648 * x - 0.204043 * y + 1.057311 * z) * UNIT_STEPS, UNIT_STEPS);
    rgb[i] += strength * (r - rgb[i]);
    rgb[i + 1] += strength * (g - rgb[i + 1]);
    rgb[i + 2] += strength * (b - rgb[i + 2]);
  }
}

/** A table entry at any place, clamped to 0..steps. */
function read(table: Float64Array, place: number, steps: number): number {
  const p = place > 0 ? place < steps ? place : steps : 0; // NaN becomes 0
  const i = p | 0;
  const entry = table[i];
  return entry + (p - i) * (table[i + 1] - entry);
}

/** Inverse of the Lab curve. */
function cubeOfLab(f: number): number {
  const cube = f * f * f;
  return cube > 0.008856 ? cube : (f - 16 / 116) / 7.787;
}

function statistics(lab: Float32Array): LabStatistics {
  const pixels = lab.length / 3;
  let l = 0, a = 0, b = 0;
  for (let i = 0; i < lab.length; i += 3) {
    l += lab[i];
    a += lab[i + 1];
    b += lab[i + 2];
  }
  const [ml, ma, mb] = [l / pixels, a / pixels, b / pixels];
  let vl = 0, va = 0, vb = 0;
  for (let i = 0; i < lab.length; i += 3) {
    vl += (lab[i] - ml) ** 2;
    va += (lab[i + 1] - ma) ** 2;
    vb += (lab[i + 2] - mb) ** 2;
  }
  return Float64Array.of(ml, ma, mb, Math.sqrt(vl / pixels), Math.sqrt(va / pixels), Math.sqrt(vb / pixels));
}
