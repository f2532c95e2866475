/**
 * Decoding by an installed ffmpeg.
 *
 * @module
 */
import { SvcError } from "../../../errors/svc_error.ts";
import { streamProcess } from "../../../platform/processes/run_process.ts";
import type { VideoFacts, VideoFrameStream } from "./open_container.ts";

/** Whether there is an ffmpeg on PATH. */
export async function hasFfmpeg(): Promise<boolean> {
  try {
    const { stdout, ended } = await streamProcess("ffmpeg", ["-version"]);
    for await (const _ of stdout);
    return (await ended).code === 0;
  } catch {
    return false;
  }
}

/** The frames of a file at the size that its container says. */
export async function* ffmpegFrames(path: string, { width, height, frames }: VideoFacts): VideoFrameStream {
  const { stdout, ended } = await streamProcess("ffmpeg", [
    ...["-v", "error", "-nostdin", "-protocol_whitelist", "file", "-i", `file:${path}`],
    ...["-map", "0:v:0", "-an", "-sn", "-dn", "-frames:v", `${frames}`, "-fps_mode", "passthrough"],
    ...["-vf", `scale=${width}:${height}`, "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"],
  ]);
  let data = new Uint8Array(3 * width * height);
  let used = 0;
  for await (const part of stdout) {
    for (let at = 0; at < part.length;) {
      const piece = part.subarray(at, at + data.length - used);
      data.set(piece, used);
      used += piece.length;
      at += piece.length;
      if (used < data.length) continue;
      yield { width, height, data };
      data = new Uint8Array(data.length);
      used = 0;
    }
  }
  const { code, stderr } = await ended;
  if (code === 0) return;
  const reason = stderr.replaceAll(path, "the file").trim().split("\n").at(-1);
  throw new SvcError("video_damaged", `Cannot decode the video: ${reason}; expected a whole file`);
}
