import type { EncodedChunk, VideoFrames } from "../../lib/media/video/media.ts";
import type { WorldMedia } from "../../lib/world/session/world_files.ts";
import type { RgbFrames, RgbImage } from "../../lib/media/images/rgb_image.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

/** Media whose files say in words what is in them; an image file is "image W H colour". */
export class FakeMedia implements WorldMedia {
  /** What was encoded, in order. */
  readonly encoded: { frames: RgbFrames; firstFrame: number; fps: number }[] = [];
  /** A chunk waits for this. */
  gate: Promise<void> | undefined;
  /** Rejects the next chunk. */
  failure: Error | undefined;
  closed = false;

  prepare(): Promise<string> {
    return Promise.resolve("fake");
  }

  async encodeChunk(frames: RgbFrames, o: { fps: number; firstFrame: number }): Promise<EncodedChunk> {
    await this.gate;
    const { failure } = this;
    this.failure = undefined;
    if (failure) throw failure;
    this.encoded.push({ frames, firstFrame: o.firstFrame, fps: o.fps });
    const bytes = text(`chunk ${o.firstFrame} ${frames.count} ${frames.data[0]} ${frames.data.at(-1)};`);
    return { bytes, codec: "avc1.64000a", frames: frames.count, duration: frames.count / o.fps };
  }

  joinChunks(chunks: readonly Uint8Array[], o: { fps: number }): Promise<EncodedChunk> {
    const bytes = text(`video ${o.fps} ${chunks.map((c) => new TextDecoder().decode(c)).join("")}`);
    return Promise.resolve({ bytes, codec: "avc1.64000a", frames: 0, duration: 0 });
  }

  readVideoFrames(): Promise<VideoFrames> {
    return Promise.resolve({ ok: false, reason: "this media is fake", remedy: "use another" });
  }

  encodePng(image: RgbImage): Promise<Uint8Array<ArrayBuffer>> {
    return Promise.resolve(text(`image ${image.width} ${image.height} ${image.data[0]}`));
  }

  decodeImage(bytes: Uint8Array): Promise<RgbImage> {
    const match = /^image (\d+) (\d+) (\d+)$/.exec(new TextDecoder().decode(bytes));
    if (!match) return Promise.reject(new SvcError("image_unsupported", "Cannot read image: it is not an image"));
    const [width, height, colour] = match.slice(1).map(Number);
    return Promise.resolve({ width, height, data: new Uint8Array(width * height * 3).fill(colour) });
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

/** The bytes of a text. */
export function text(value: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(value);
}
