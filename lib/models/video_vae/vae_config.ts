/**
 * The video autoencoder's configuration: its numbers, whether they fit together, and the names and shapes of the
 * weights.
 *
 * @module
 */
import type { Shape } from "../../compute/tensor/mod.ts";
import type { TensorShapes } from "../checkpoint/weights.ts";
import type { LatentSize } from "./latents.ts";

/** Widths and depths of the video autoencoder. */
export interface VaeConfig {
  /** Channels of a latent. */
  readonly zDim: number;
  /** Width of the encoder before its multiples. */
  readonly dim: number;
  /** Width of the decoder before its multiples. */
  readonly decDim: number;
  /** Width of each stage as a multiple, outermost first; every stage but the last halves the size. */
  readonly dimMult: readonly number[];
  /** Residual blocks of an encoder stage; the decoder has one more. */
  readonly numResBlocks: number;
  /** Which encoder stages halve the number of frames as well. */
  readonly temporalDownsample: readonly boolean[];
  /** Rows and columns of pixels that the outermost convolutions see as one; 2 when absent. */
  readonly patchSize?: number | undefined;
}

/** Rows and columns of pixels that the outermost convolutions see as one. */
export function patchSizeOf({ patchSize = 2 }: VaeConfig): number {
  return patchSize;
}

/** How many times smaller a latent is than a frame: the stages but the last halve the size of the patches. */
export function pixelsPerLatent(vae: VaeConfig): number {
  return patchSizeOf(vae) * 2 ** (vae.dimMult.length - 1);
}

/** The size, in pixels, at which frames of a size are made and then cut from the middle: whole tokens of 2x2 latents. */
export function wholeTokens(vae: VaeConfig, frame: LatentSize): LatentSize {
  const unit = 2 * pixelsPerLatent(vae);
  const whole = (side: number): number => Math.ceil(side / unit) * unit;
  return { width: whole(frame.width), height: whole(frame.height) };
}

/** Rows and columns of the latents of frames of a size. */
export function latentSizeOf(vae: VaeConfig, frame: LatentSize): LatentSize {
  const pixels = pixelsPerLatent(vae);
  return { width: frame.width / pixels, height: frame.height / pixels };
}

/** A video autoencoder and the statistics of its latents. */
export interface VideoVae {
  /** Video autoencoder. */
  readonly vae: VaeConfig;
  /** Mean of each latent channel over the training data. */
  readonly latentsMean: readonly number[];
  /** Standard deviation of each latent channel over the training data. */
  readonly latentsStd: readonly number[];
}

/**
 * One sentence for every number that does not fit the others.
 *
 * @param file Name of the configuration for the sentences.
 * @param section The prefix of the autoencoder's fields in the file, such as `vae.`.
 */
export function vaeProblems({ vae, latentsMean, latentsStd }: VideoVae, file: string, section: string): string[] {
  const problems: string[] = [];
  const expect = (ok: boolean, field: string, is: number, expected: string) => {
    if (!ok) problems.push(`${file}: ${field} is ${is}, expected ${expected}`);
  };
  const stages = vae.dimMult.length;
  expect(stages === 4, `the length of ${section}dim_mult`, stages, "4: a latent is 8 times smaller than the patches");
  const times = vae.temporalDownsample.slice(0, stages - 1).filter(Boolean).length;
  expect(
    times === 2,
    `the number of true in ${section}temperal_downsample`,
    times,
    "2: a latent stands for 4 frames",
  );
  const down = [vae.dim, ...vae.dimMult.map((m) => m * vae.dim)];
  for (let i = 0; i < stages; i++) {
    const cells = (vae.temporalDownsample[i] ? 2 : 1) * (i < stages - 1 ? 4 : 1);
    const [wide, narrow] = [vae.dimMult[i], vae.dimMult[i - 1] ?? vae.dimMult[0]];
    const fits = (down[i] * cells) % down[i + 1] === 0 && (narrow * vae.decDim * cells) % (wide * vae.decDim) === 0;
    expect(fits, `${section}dim_mult[${i}]`, wide, "a divisor of the shortcut's channels");
  }
  const channels = `${vae.zDim} (${section}z_dim)`;
  expect(latentsMean.length === vae.zDim, "the length of latents_mean", latentsMean.length, channels);
  expect(latentsStd.length === vae.zDim, "the length of latents_std", latentsStd.length, channels);
  return problems;
}

/** Weights of the video autoencoder by the names of the Wan checkpoints. */
export function vaeShapes(c: VaeConfig): TensorShapes {
  const shapes = new Map<string, Shape>();
  const conv = (name: string, output: number, input: number, ...kernel: readonly number[]) => {
    shapes.set(`${name}.weight`, [output, input, ...kernel]);
    shapes.set(`${name}.bias`, [output]);
  };
  const resBlock = (name: string, input: number, output: number) => {
    shapes.set(`${name}.residual.0.gamma`, [input, 1, 1, 1]);
    conv(`${name}.residual.2`, output, input, 3, 3, 3);
    shapes.set(`${name}.residual.3.gamma`, [output, 1, 1, 1]);
    conv(`${name}.residual.6`, output, output, 3, 3, 3);
    if (input !== output) conv(`${name}.shortcut`, output, input, 1, 1, 1);
  };
  const middle = (name: string, width: number) => {
    resBlock(`${name}.0`, width, width);
    shapes.set(`${name}.1.norm.gamma`, [width, 1, 1]);
    conv(`${name}.1.to_qkv`, 3 * width, width, 1, 1);
    conv(`${name}.1.proj`, width, width, 1, 1);
    resBlock(`${name}.2`, width, width);
  };
  const head = (name: string, input: number, output: number) => {
    shapes.set(`${name}.0.gamma`, [input, 1, 1, 1]);
    conv(`${name}.2`, output, input, 3, 3, 3);
  };
  const last = c.dimMult.length - 1;
  const patchChannels = 3 * patchSizeOf(c) ** 2; // red, green and blue of its pixels

  conv("encoder.conv1", c.dim, patchChannels, 3, 3, 3);
  c.dimMult.forEach((multiple, i) => {
    const [input, output] = [c.dim * (c.dimMult[i - 1] ?? 1), c.dim * multiple];
    const name = `encoder.downsamples.${i}.downsamples`;
    for (let j = 0; j < c.numResBlocks; j++) resBlock(`${name}.${j}`, j === 0 ? input : output, output);
    if (i < last) conv(`${name}.${c.numResBlocks}.resample.1`, output, output, 3, 3);
    if (i < last && c.temporalDownsample[i]) conv(`${name}.${c.numResBlocks}.time_conv`, output, output, 3, 1, 1);
  });
  const encoded = c.dim * c.dimMult[last];
  middle("encoder.middle", encoded);
  head("encoder.head", encoded, 2 * c.zDim);
  conv("conv1", 2 * c.zDim, 2 * c.zDim, 1, 1, 1);

  conv("conv2", c.zDim, c.zDim, 1, 1, 1);
  const multiples = c.dimMult.toReversed();
  const doublesTime = c.temporalDownsample.toReversed();
  conv("decoder.conv1", c.decDim * multiples[0], c.zDim, 3, 3, 3);
  middle("decoder.middle", c.decDim * multiples[0]);
  multiples.forEach((multiple, i) => {
    const [input, output] = [c.decDim * (multiples[i - 1] ?? multiple), c.decDim * multiple];
    const name = `decoder.upsamples.${i}.upsamples`;
    const blocks = c.numResBlocks + 1;
    for (let j = 0; j < blocks; j++) resBlock(`${name}.${j}`, j === 0 ? input : output, output);
    if (i < last) conv(`${name}.${blocks}.resample.1`, output, output, 3, 3);
    if (i < last && doublesTime[i]) conv(`${name}.${blocks}.time_conv`, 2 * output, output, 3, 1, 1);
  });
  head("decoder.head", c.decDim * multiples[last], patchChannels);
  return shapes;
}

const PARTS: readonly (readonly [wan: RegExp, diffusers: string])[] = [
  [/^conv1\./, "quant_conv."],
  [/^conv2\./, "post_quant_conv."],
  [/^(encoder|decoder)\.conv1\./, "$1.conv_in."],
  [/\.head\.0\./, ".norm_out."],
  [/\.head\.2\./, ".conv_out."],
  [/\.middle\.0\./, ".mid_block.resnets.0."],
  [/\.middle\.1\./, ".mid_block.attentions.0."],
  [/\.middle\.2\./, ".mid_block.resnets.1."],
  [/\.downsamples\.(\d+)\.downsamples\.\d+\.(resample|time_conv)/, ".down_blocks.$1.downsampler.$2"],
  [/\.upsamples\.(\d+)\.upsamples\.\d+\.(resample|time_conv)/, ".up_blocks.$1.upsampler.$2"],
  [/\.downsamples\.(\d+)\.downsamples\.(\d+)\./, ".down_blocks.$1.resnets.$2."],
  [/\.upsamples\.(\d+)\.upsamples\.(\d+)\./, ".up_blocks.$1.resnets.$2."],
  [/\.residual\.0\./, ".norm1."],
  [/\.residual\.2\./, ".conv1."],
  [/\.residual\.3\./, ".norm2."],
  [/\.residual\.6\./, ".conv2."],
  [/\.shortcut\./, ".conv_shortcut."],
];

/** The name that Diffusers gives to a weight of the Wan checkpoints; shapes and values are the same. */
export function diffusersVaeName(wan: string): string {
  return PARTS.reduce((name, [pattern, replacement]) => name.replace(pattern, replacement), wan);
}
