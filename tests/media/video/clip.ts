/** Frames to encode, and what to measure of the result. */
import { BufferSource, EncodedPacketSink, Input, MP4 } from "mediabunny";
import type { RgbFrames } from "../../../lib/media/images/rgb_image.ts";

/** Smooth colours that move: what halved colour resolution does not hurt. */
export function clip(width: number, height: number, count: number): RgbFrames {
  const data = new Uint8Array(count * width * height * 3);
  let at = 0;
  for (let frame = 0; frame < count; frame++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        data[at++] = 128 + 100 * Math.sin((x + frame * 3) / 17);
        data[at++] = 128 + 100 * Math.cos((y - frame) / 13);
        data[at++] = 40 + 6 * frame + x / 2;
      }
    }
  }
  return { width, height, count, data };
}

/** Peak signal-to-noise ratio of bytes in decibels. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new RangeError(`Cannot compare ${a.length} with ${b.length} bytes`);
  const squares = a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);
  return 10 * Math.log10(255 ** 2 * a.length / squares);
}

/** What a demuxer finds in an MP4. */
export interface Mp4Facts {
  readonly codec: string | null;
  readonly width: number;
  readonly height: number;
  /** Of every packet, seconds. */
  readonly times: readonly number[];
  /** Seconds at which the last picture ends. */
  readonly end: number;
  readonly firstIsKey: boolean;
  readonly colour: VideoColorSpaceInit;
  /** The decoder's `avcC` record. */
  readonly record: Uint8Array;
}

/** Reads an MP4 with mediabunny alone. */
export async function mp4Facts(bytes: Uint8Array): Promise<Mp4Facts> {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
  const track = (await input.getPrimaryVideoTrack())!;
  const config = (await track.getDecoderConfig())!;
  const times: number[] = [];
  const types: string[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    times.push(packet.timestamp);
    types.push(packet.type);
  }
  const facts = {
    codec: await track.getCodecParameterString(),
    width: track.codedWidth,
    height: track.codedHeight,
    times,
    end: await input.computeDuration(),
    firstIsKey: types[0] === "key",
    colour: await track.getColorSpace(),
    record: new Uint8Array(config.description as Uint8Array),
  };
  input.dispose();
  return facts;
}

/** Names of the boxes at the top of an MP4, in order. */
export function boxes(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: string[] = [];
  for (let at = 0; at < bytes.length; at += view.getUint32(at)) {
    names.push(String.fromCharCode(...bytes.subarray(at + 4, at + 8)));
  }
  return names;
}
