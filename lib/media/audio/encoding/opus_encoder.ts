/**
 * Sound as Opus in Ogg (RFC 7845), by libopus in the optional package `opusscript`, with pages of our own: libraries
 * give every stream a random number; here the same packets make the same bytes.
 *
 * @module
 */
import { Resampler } from "../resampler.ts";
import type { AudioEncoder, AudioEncoderOptions } from "./audio_encoder.ts";
import { pcm16 } from "./pcm_encoder.ts";

/** Sample rates that Opus takes. */
const RATES = [8_000, 12_000, 16_000, 24_000, 48_000] as const;

/** Packets of 20 ms. */
const PACKETS_PER_SECOND = 50;

/** Positions in Ogg count samples at this rate, whatever the rate of the sound. */
const POSITION_RATE = 48_000;

/** Samples that decoders leave out at the beginning: what libopus looks ahead. */
const PRE_SKIP = 312;

const BITRATE = 48_000;

/**
 * Opens an encoder.
 *
 * @throws {Error} when the package is not installed.
 */
export async function opusEncoder({ sampleRate, onBytes }: AudioEncoderOptions): Promise<AudioEncoder> {
  const { default: OpusScript } = await import("opusscript");
  const rate = RATES.find((rate) => rate === sampleRate) ?? POSITION_RATE;
  const resampler = new Resampler(sampleRate, rate);
  const packetSamples = rate / PACKETS_PER_SECOND;
  const opus = new OpusScript(rate, 1, OpusScript.Application.AUDIO);
  opus.setBitrate(BITRATE);
  const pages = new OggPages(onBytes);
  for (const header of [opusHead(sampleRate), opusTags()]) {
    pages.add(header);
    pages.flush(0, false);
  }
  let waiting = new Float32Array();
  let packets = 0;
  let open = 0; // packets of the present page
  let length = 0;
  const positionOf = (count: number) => count * POSITION_RATE / PACKETS_PER_SECOND;
  /** Returns whether a page was written. */
  const encode = (samples: Float32Array): boolean => {
    const packet = new Uint8Array(opus.encode(pcm16(samples) as never, packetSamples));
    const isFull = open === PACKETS_PER_SECOND || !pages.fits(packet.length);
    if (isFull) {
      pages.flush(positionOf(packets), false);
      open = 0;
    }
    pages.add(packet);
    packets++;
    open++;
    return isFull;
  };
  const add = async (samples: Float32Array) => {
    const all = new Float32Array(waiting.length + samples.length);
    all.set(waiting);
    all.set(samples, waiting.length);
    length += samples.length;
    let at = 0;
    for (; at + packetSamples <= all.length; at += packetSamples) {
      // Encoding keeps the thread: a page leaves before the next one is made.
      if (encode(all.subarray(at, at + packetSamples))) await new Promise((resolve) => setTimeout(resolve));
    }
    waiting = all.slice(at);
  };
  return {
    format: "opus",
    name: "opusscript",
    prepare: () => Promise.resolve(),
    push: (samples) => add(resampler.push(samples)),
    finish: async () => {
      await add(resampler.flush());
      // What is skipped at the beginning has to be there at the end; the position says how much of the last packet counts.
      const end = PRE_SKIP + Math.round(length * POSITION_RATE / rate);
      while (positionOf(packets) < end) {
        const rest = new Float32Array(packetSamples);
        rest.set(waiting);
        waiting = new Float32Array();
        encode(rest);
      }
      pages.flush(end, true);
      opus.delete();
    },
    cancel: () => Promise.resolve(opus.delete()),
  };
}

/** The identification header of a mono stream. */
function opusHead(sampleRate: number): Uint8Array {
  const head = new Uint8Array(19);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode("OpusHead"));
  head[8] = 1; // version
  head[9] = 1; // channels
  view.setUint16(10, PRE_SKIP, true);
  view.setUint32(12, sampleRate, true);
  return head;
}

/** The comment header: who wrote it, and no comments. */
function opusTags(): Uint8Array {
  const vendor = new TextEncoder().encode("svc");
  const tags = new Uint8Array(16 + vendor.length);
  tags.set(new TextEncoder().encode("OpusTags"));
  new DataView(tags.buffer).setUint32(8, vendor.length, true);
  tags.set(vendor, 12);
  return tags;
}

const SERIAL = 1;
const BEGIN = 2;
const END = 4;
const HEADER_BYTES = 27;
const MAX_SEGMENTS = 255;

/** Writes packets into pages; a packet never goes over the end of a page. */
class OggPages {
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
