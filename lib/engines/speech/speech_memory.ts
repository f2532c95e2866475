/**
 * Memory of speech.
 *
 * @module
 */

/**
 * Bytes that speaking takes beside the weights: a portion is at most 510 symbols, whose spectra and activations take some
 * 150 MiB in both models; sound leaves as soon as it is made, so that the length of the text does not matter.
 */
export function speechMemory(): number {
  return 192 * 2 ** 20;
}
