/**
 * Texts that modules carry packed.
 *
 * @module
 */

/** The text of raw DEFLATE (RFC 1951) in base64, as the generators in `scripts/` write it. */
export async function unpackText(packed: string): Promise<string> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return await new Response(stream).text();
}
