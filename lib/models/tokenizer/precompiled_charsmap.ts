/**
 * The text normaliser that SentencePiece compiles into a tokenizer: a table of replacements in a double-array trie.
 *
 * Layout: the byte length of the trie as 32 bits, the trie as 32-bit units (darts-clone), then all replacements as
 * UTF-8 ended by zero bytes; a leaf of the trie holds the offset of its replacement.
 *
 * @module
 */

// Longer clusters are replaced character by character.
const MAX_CLUSTER_BYTES = 5;

/**
 * Makes a normaliser from the bytes of a `precompiled_charsmap`.
 *
 * Each grapheme cluster is looked up as a whole, then, if that fails, each of its characters.
 *
 * @throws {RangeError} when the bytes are cut off.
 */
export function precompiledCharsmap(bytes: Uint8Array): (text: string) => string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const trieBytes = bytes.length < 4 ? Infinity : view.getUint32(0, true);
  if (trieBytes > bytes.length - 4 || trieBytes % 4 !== 0) {
    throw new RangeError(
      `Cannot read precompiled_charsmap: its trie has ${trieBytes} bytes, expected a multiple of 4 within ${bytes.length}`,
    );
  }
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, i) => view.getUint32(4 + 4 * i, true));
  const replacements = bytes.subarray(4 + trieBytes);
  const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();

  function replacementOf(chunk: Uint8Array): string | undefined {
    const start = shortestMatch(units, chunk);
    if (start === undefined) return undefined;
    const end = replacements.indexOf(0, start);
    return decoder.decode(replacements.subarray(start, end < 0 ? undefined : end));
  }

  function normalizeCluster(cluster: string): string {
    const utf8 = encoder.encode(cluster);
    const whole = utf8.length <= MAX_CLUSTER_BYTES ? replacementOf(utf8) : undefined;
    if (whole !== undefined) return whole;
    return Array.from(cluster, (character) => replacementOf(encoder.encode(character)) ?? character).join("");
  }

  return (text) => Array.from(segmenter.segment(text), ({ segment }) => normalizeCluster(segment)).join("");
}

/** The value of the shortest key that the bytes begin with. Taking the shortest is what the reference code does. */
function shortestMatch(units: Uint32Array, key: Uint8Array): number | undefined {
  let at = childOffset(units[0]);
  for (const byte of key) {
    at ^= byte;
    const unit = units[at];
    // The sign bit marks a leaf's value, which must not pass as a label; beyond the end there is no unit at all.
    if (byte === 0 || unit === undefined || ((unit & 0x800000ff) >>> 0) !== byte) return undefined;
    at ^= childOffset(unit);
    if (unit & 0x100) return units[at] & 0x7fffffff;
  }
  return undefined;
}

function childOffset(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}
