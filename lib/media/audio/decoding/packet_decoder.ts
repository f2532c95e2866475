/**
 * Decoders of compressed sound, packet by packet.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioBlock } from "../audio_source.ts";

/** A packet of a container. */
export interface AudioPacket {
  readonly data: Uint8Array;
  /** Seconds. */
  readonly timestamp: number;
  readonly duration: number;
}

/** What a container says of its sound. */
export interface PacketFormat {
  /** The codec string of WebCodecs, such as `mp4a.40.2`. */
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** What the decoder needs before the first packet. */
  readonly description: Uint8Array | undefined;
}

/** Decodes the packets of one track in their order. */
export interface PacketDecoder {
  /** Takes some packets, and gives what is decoded by now. */
  decode(packets: readonly AudioPacket[]): Promise<AudioBlock[]>;
  /** Returns the remaining samples. */
  flush(): Promise<AudioBlock[]>;
  /** Frees the decoder, also before its end. */
  close(): void;
}

/** Damaged packets that are left out before a file counts as damaged itself. */
const MAX_DAMAGED_PACKETS = 100;

/** Counts damaged packets; decoders of one file share it. */
export class DamageCount {
  readonly #format: string;
  #count = 0;

  /** @param format What the file is, for the error sentence. */
  constructor(format: string) {
    this.#format = format;
  }

  /** @throws {SvcError} `audio_damaged` when there have been too many. */
  add(count: number): void {
    this.#count += count;
    if (this.#count <= MAX_DAMAGED_PACKETS) return;
    throw new SvcError(
      "audio_damaged",
      `Cannot decode the sound, ${this.#format}: more than ${MAX_DAMAGED_PACKETS} of its packets are damaged, ` +
        "expected a whole file",
    );
  }
}
