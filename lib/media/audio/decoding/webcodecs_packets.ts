/**
 * Decoding by WebCodecs: the browser's own, else the optional package `@napi-rs/webcodecs`.
 *
 * @module
 */
import type { AudioBlock } from "../audio_source.ts";
import type { AudioPacket, DamageCount, PacketDecoder, PacketFormat } from "./packet_decoder.ts";

/** The part of WebCodecs that decodes sound. */
type Codecs = Pick<typeof globalThis, "AudioDecoder" | "EncodedAudioChunk">;

/** Packets that wait in the decoder; more would only take memory. */
const MAX_WAITING = 64;

/** Opens a decoder; undefined when there is no WebCodecs here, or it does not support the codec. */
export async function webCodecsPackets(
  { codec, sampleRate, channels, description }: PacketFormat,
  damage: DamageCount,
): Promise<PacketDecoder | undefined> {
  const codecs = await loadCodecs();
  if (codecs === undefined) return undefined;
  const config = {
    codec,
    sampleRate,
    numberOfChannels: channels,
    ...description !== undefined && { description: description.slice() },
  };
  const { supported } = await codecs.AudioDecoder.isConfigSupported(config).catch(() => ({ supported: false }));
  return supported ? new WebCodecsDecoder(codecs, config, damage) : undefined;
}

async function loadCodecs(): Promise<Codecs | undefined> {
  if (typeof AudioDecoder === "function") return globalThis;
  try {
    return await import("@napi-rs/webcodecs") as unknown as Codecs;
  } catch {
    return undefined;
  }
}

class WebCodecsDecoder implements PacketDecoder {
  readonly #codecs: Codecs;
  readonly #config: AudioDecoderConfig;
  readonly #damage: DamageCount;
  #decoder: AudioDecoder;
  #blocks: AudioBlock[] = [];

  constructor(codecs: Codecs, config: AudioDecoderConfig, damage: DamageCount) {
    this.#codecs = codecs;
    this.#config = config;
    this.#damage = damage;
    this.#decoder = this.#open();
  }

  async decode(packets: readonly AudioPacket[]): Promise<AudioBlock[]> {
    for (const { data, timestamp } of packets) {
      // An error closes a decoder; what comes after the damaged packet may be whole again.
      if (this.#decoder.state === "closed") this.#decoder = this.#open();
      const chunk = { type: "key" as const, timestamp: Math.round(timestamp * 1e6), data: data.slice() };
      this.#decoder.decode(new this.#codecs.EncodedAudioChunk(chunk));
      while (this.#decoder.state === "configured" && this.#decoder.decodeQueueSize > MAX_WAITING) {
        await nextDequeue(this.#decoder);
      }
    }
    return this.#take();
  }

  async flush(): Promise<AudioBlock[]> {
    if (this.#decoder.state === "configured") await this.#decoder.flush().catch(() => this.#damage.add(1));
    return this.#take();
  }

  close(): void {
    if (this.#decoder.state !== "closed") this.#decoder.close();
  }

  #open(): AudioDecoder {
    const decoder = new this.#codecs.AudioDecoder({
      output: (sound) => this.#blocks.push(readSound(sound)),
      error: () => this.#damaged++,
    });
    decoder.configure(this.#config);
    return decoder;
  }

  /** Errors come in callbacks, from which nothing can be thrown. */
  #damaged = 0;

  #take(): AudioBlock[] {
    this.#damage.add(this.#damaged);
    this.#damaged = 0;
    const blocks = this.#blocks;
    this.#blocks = [];
    return blocks;
  }
}

function nextDequeue(decoder: AudioDecoder): Promise<void> {
  return new Promise((resolve) => decoder.addEventListener("dequeue", () => resolve(), { once: true }));
}

function readSound(sound: AudioData): AudioBlock {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, planeIndex) => {
    const samples = new Float32Array(sound.numberOfFrames);
    sound.copyTo(samples, { planeIndex, format: "f32-planar" });
    return samples;
  });
  const { sampleRate } = sound;
  sound.close();
  return { sampleRate, channels };
}
