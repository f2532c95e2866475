/**
 * Sound in containers.
 *
 * @module
 */
import {
  ADTS,
  CustomSource,
  EncodedPacketSink,
  FLAC,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WEBM,
} from "mediabunny";
import { SvcError } from "../../../errors/svc_error.ts";
import type { AudioBlock, AudioSource, OpenedAudio } from "../audio_source.ts";
import { EdgeTrim } from "./edge_trim.ts";
import { checkSound, pcmPackets } from "./open_pcm.ts";
import { type AudioPacket, DamageCount, type PacketDecoder, type PacketFormat } from "./packet_decoder.ts";
import { flacPackets, mpegPackets, opusPackets, vorbisPackets } from "./wasm_packets.ts";
import { webCodecsPackets } from "./webcodecs_packets.ts";

const FORMATS = [MP4, QTFF, WEBM, MATROSKA, OGG, FLAC, ADTS, MPEG_TS, MP3];

/** Packets that are decoded at once. */
const BATCH = 32;

/** Bytes of a container's index, and of what is read ahead. */
const CACHE = 8 * 1024 * 1024;

/**
 * Opens the first track of sound of an MP4, M4A, MOV, WebM, Matroska, Ogg, FLAC, AAC or MPEG-TS file.
 *
 * @param format What the file is, for people.
 * @returns Undefined when nothing here decodes its codec.
 * @throws {SvcError} `audio_unsupported` when it holds no sound, `audio_damaged` when it cannot be read.
 */
export async function openContainer(source: AudioSource, format: string): Promise<OpenedAudio | undefined> {
  const input = openInput(source);
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) {
      const video = await input.getPrimaryVideoTrack() !== null;
      throw new SvcError(
        "audio_unsupported",
        `Cannot read the sound: the file is ${
          video ? `a video without sound (${format})` : `${format} without sound`
        }, ` +
          "expected a track of sound",
      );
    }
    const codec = await track.getCodec();
    const config = await track.getDecoderConfig();
    if (codec === null || config === null) return undefined;
    checkSound(`${format}, ${codec}`, config.numberOfChannels, config.sampleRate);
    const described: PacketFormat = {
      codec: config.codec,
      sampleRate: config.sampleRate,
      channels: config.numberOfChannels,
      description: config.description === undefined ? undefined : bytesOf(config.description),
    };
    const name = `${format} (${codec})`;
    const open = await decoderFor(codec, described, new DamageCount(name));
    if (open === undefined) return undefined;
    open.close();
    return {
      format: name,
      duration: await input.getDurationFromMetadata([track]).catch(() => null) ?? undefined,
      blocks: () => decodeTrack(source, codec, described, name),
    };
  } catch (error) {
    throw asDamaged(error, format);
  } finally {
    input.dispose();
  }
}

/** Seconds of sound by a file's metadata; undefined when they do not say, or cannot be read. */
export async function containerDuration(source: AudioSource): Promise<number | undefined> {
  const input = openInput(source);
  try {
    return await input.getDurationFromMetadata() ?? undefined;
  } catch {
    return undefined;
  } finally {
    input.dispose();
  }
}

function openInput(source: AudioSource): Input {
  const file = new CustomSource({
    getSize: () => source.size,
    read: (start, end) => source.read(start, end - start),
    maxCacheSize: CACHE,
    prefetchProfile: "fileSystem",
    handleUnhandledError: () => {}, // the next read fails as well
  });
  return new Input({ formats: FORMATS, source: file });
}

function decoderFor(codec: string, format: PacketFormat, damage: DamageCount): Promise<PacketDecoder | undefined> {
  if (codec === "opus") return opusPackets(format, damage);
  if (codec === "vorbis") return vorbisPackets(format, damage);
  if (codec === "flac") return flacPackets(format, damage);
  if (codec === "mp3") return mpegPackets(format, damage);
  const pcm = pcmPackets(codec, format);
  return pcm === undefined ? webCodecsPackets(format, damage) : Promise.resolve(pcm);
}

async function* decodeTrack(
  source: AudioSource,
  codec: string,
  format: PacketFormat,
  name: string,
): AsyncGenerator<AudioBlock> {
  const input = openInput(source);
  let decoder: PacketDecoder | undefined;
  try {
    decoder = await decoderFor(codec, format, new DamageCount(name));
    const track = await input.getPrimaryAudioTrack();
    if (decoder === undefined || track === null) return;
    // The Opus decoder skips what precedes the sound.
    const trim = new EdgeTrim({ lead: codec !== "opus", tail: knowsEnd(await input.getFormat()) });
    let batch: AudioPacket[] = [];
    for await (const packet of packetsOf(track)) {
      trim.packet(packet);
      batch.push(packet);
      if (batch.length < BATCH) continue;
      yield* trim.blocks(await decoder.decode(batch));
      batch = [];
    }
    yield* trim.lastBlocks([...await decoder.decode(batch), ...await decoder.flush()]);
  } catch (error) {
    throw asDamaged(error, name);
  } finally {
    decoder?.close();
    input.dispose();
  }
}

/** Others say how long a packet lasts as a rule, and not of each. */
function knowsEnd(format: InputFormat): boolean {
  return format === OGG || format === MP4 || format === QTFF;
}

async function* packetsOf(track: InputAudioTrack): AsyncGenerator<AudioPacket> {
  yield* new EncodedPacketSink(track).packets();
}

function bytesOf(data: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** Whatever a library throws over the contents of a file. */
function asDamaged(error: unknown, format: string): SvcError {
  if (error instanceof SvcError) return error;
  const reason = (error instanceof Error ? error.message : String(error)).split("\n")[0];
  return new SvcError("audio_damaged", `Cannot decode the sound, ${format}: ${reason}, expected a whole file`, {
    cause: error,
  });
}
