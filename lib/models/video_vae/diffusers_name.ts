/**
 * The other naming of the video autoencoder's weights.
 *
 * @module
 */

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
