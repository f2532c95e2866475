/**
 * Channels to one.
 *
 * @module
 */

/**
 * The mean of all channels, within -1 to 1. What is not a number counts as silence, what is too loud is clipped as
 * 16-bit samples would be.
 */
export function mixDown(channels: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const [first] = channels;
  const mono = new Float32Array(first?.length ?? 0);
  for (let i = 0; i < mono.length; i++) {
    let sum = 0;
    for (const channel of channels) sum += Number.isNaN(channel[i]) ? 0 : Math.max(-1, Math.min(channel[i], 1));
    mono[i] = sum / channels.length;
  }
  return mono;
}
