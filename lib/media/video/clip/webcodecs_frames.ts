/**
 * Decoding by WebCodecs: the browser's own, else the optional package `@napi-rs/webcodecs`; images that a camera took
 * lying on its side are turned.
 *
 * @module
 */
import type { RgbImage } from "../../images/rgb_image.ts";
import type { VideoFrameStream, VideoTrack } from "./open_container.ts";

/** The part of WebCodecs that decodes video. */
export type VideoCodecs = Pick<typeof globalThis, "VideoDecoder" | "EncodedVideoChunk">;

/** Packets and frames that wait; more would only take memory. */
const MAX_WAITING = 8;

/** WebCodecs where there is one. */
export async function loadVideoCodecs(): Promise<VideoCodecs | undefined> {
  if (typeof VideoDecoder === "function") return globalThis;
  try {
    return await import("@napi-rs/webcodecs") as unknown as VideoCodecs;
  } catch {
    return undefined;
  }
}

/** The frames of a track, in the order in which they are shown. */
export async function* webCodecsFrames(codecs: VideoCodecs, track: VideoTrack): VideoFrameStream {
  const waiting: VideoFrame[] = [];
  let failure: Error | undefined;
  let wake = () => {};
  const decoder = new codecs.VideoDecoder({
    output: (frame) => {
      waiting.push(frame);
      wake();
    },
    error: (error) => {
      failure = error;
      wake();
    },
  });
  /** Something has happened, or some time has passed. */
  const change = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
      decoder.addEventListener("dequeue", () => resolve(), { once: true });
    });
  const take = async function* (): VideoFrameStream {
    while (waiting.length > 0) yield turnImage(await readFrame(waiting.shift()!), track.turns);
  };
  try {
    decoder.configure(track.config);
    for await (const packet of track.packets()) {
      const chunk = new codecs.EncodedVideoChunk({
        type: packet.type,
        timestamp: Math.round(packet.timestamp * 1e6),
        data: packet.data.slice(),
      });
      if (failure) throw failure;
      decoder.decode(chunk);
      while (!failure && waiting.length === 0 && decoder.decodeQueueSize > MAX_WAITING) await change();
      yield* take();
    }
    if (!failure) await decoder.flush();
    yield* take();
    if (failure) throw failure;
  } finally {
    for (const frame of waiting) frame.close();
    if (decoder.state !== "closed") decoder.close();
  }
}

async function readFrame(frame: VideoFrame): Promise<RgbImage> {
  try {
    const { codedWidth: width, codedHeight: height } = frame;
    const rgba = new Uint8Array(frame.allocationSize({ format: "RGBA" }));
    const [{ offset, stride }] = await frame.copyTo(rgba, { format: "RGBA" });
    const data = new Uint8Array(3 * width * height);
    for (let y = 0, to = 0; y < height; y++) {
      for (let x = 0, from = offset + y * stride; x < width; x++, from += 4, to += 3) {
        data[to] = rgba[from];
        data[to + 1] = rgba[from + 1];
        data[to + 2] = rgba[from + 2];
      }
    }
    return { width, height, data };
  } finally {
    frame.close();
  }
}

/** Turns an image to the right by quarter turns. */
function turnImage(image: RgbImage, turns: number): RgbImage {
  const { width, height, data } = image;
  const quarter = ((turns % 4) + 4) % 4;
  if (quarter === 0) return image;
  const out = new Uint8Array(data.length);
  const columns = quarter === 2 ? width : height;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [toX, toY] = quarter === 1
        ? [height - 1 - y, x]
        : quarter === 2
        ? [width - 1 - x, height - 1 - y]
        : [y, width - 1 - x];
      const [from, to] = [3 * (y * width + x), 3 * (toY * columns + toX)];
      for (let c = 0; c < 3; c++) out[to + c] = data[from + c];
    }
  }
  return { width: columns, height: quarter === 2 ? height : width, data: out };
}
