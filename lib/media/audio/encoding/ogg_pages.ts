/**
 * Ogg pages (RFC 3533) of a stream of packets. Libraries give every stream a random number; here the same packets make the
 * same bytes.
 *
 * @module
 */

const SERIAL = 1;
const BEGIN = 2;
const END = 4;
const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;

/** Writes packets into pages; a packet never goes over the end of a page. */
export class OggPages {
  readonly #onPage: (page: Uint8Array<ArrayBuffer>) => void;
  #sequence = 0;
  #packets: Uint8Array[] = [];
  #segments: number[] = [];

  /** @param onPage Called with each page. */
  constructor(onPage: (page: Uint8Array<ArrayBuffer>) => void) {
    this.#onPage = onPage;
  }

  /** Whether a packet of this size has a place in the present page. */
  fits(size: number): boolean {
    return this.#segments.length + Math.floor(size / 255) + 1 <= MAX_SEGMENTS;
  }

  /** Adds a packet of less than 64 KB to the present page. */
  add(packet: Uint8Array): void {
    for (let left = packet.length; left >= 255; left -= 255) this.#segments.push(255);
    this.#segments.push(packet.length % 255);
    this.#packets.push(packet);
  }

  /**
   * Ends the present page.
   *
   * @param position Samples up to the end of its last packet.
   * @param last Whether the stream ends.
   */
  flush(position: number, last: boolean): void {
    const size = this.#packets.reduce((sum, { length }) => sum + length, 0);
    const page = new Uint8Array(HEADER_BYTES + this.#segments.length + size);
    const view = new DataView(page.buffer);
    page.set(new TextEncoder().encode("OggS"));
    page[5] = (this.#sequence === 0 ? BEGIN : 0) | (last ? END : 0);
    view.setBigUint64(6, BigInt(position), true);
    view.setUint32(14, SERIAL, true);
    view.setUint32(18, this.#sequence++, true);
    page[26] = this.#segments.length;
    page.set(this.#segments, HEADER_BYTES);
    let at = HEADER_BYTES + this.#segments.length;
    for (const packet of this.#packets) {
      page.set(packet, at);
      at += packet.length;
    }
    view.setUint32(22, checksum(page), true);
    this.#packets = [];
    this.#segments = [];
    this.#onPage(page);
  }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value >>> 0;
});

/** The cyclic redundancy check of Ogg: the polynomial 0x04c11db7, nothing reflected or inverted. */
function checksum(page: Uint8Array): number {
  let value = 0;
  for (const byte of page) value = (value << 8) ^ table[(value >>> 24) ^ byte];
  return value >>> 0;
}
