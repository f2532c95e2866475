import { encodePng } from "../../media/images/png.ts";
import type { VideoFrames } from "../../media/video/read_video_frames.ts";
import { frameAt } from "../../media/images/rgb_image.ts";
import type { ModelStart } from "../../world/backends/model_start.ts";
import { UsageError } from "../../platform/terminal/flags.ts";
import { checkOutputFile } from "../output_file.ts";
import type { WriteObstacle } from "../../platform/files/user_files.ts";
import type { WalkActions } from "../../world/protocol/walk_actions.ts";
import type { WorldClient } from "../../world/client/world_client.ts";
import type { ChunkRecord, JobRecord, RolloutRequestBody } from "../../world/protocol/wire.ts";
import { runWalkJob } from "./walk_job.ts";
import { walkProgress } from "./walk_progress.ts";
import type { WalkReport, WalkSaved } from "./walk_report.ts";
import type { WalkServer } from "./walk_server.ts";
import { sheetFrames, walkSheet } from "./walk_sheet.ts";

/** A walk as requested. */
export interface WalkRequest {
  readonly walk: WalkActions;
  /** Continue from the server's current state instead of the source image. */
  readonly continued: boolean;
  /** The image file to start from; the embedded world's own by default. */
  readonly source: string | undefined;
  /** Describes the scene; the prompt of the embedded world's image by default. */
  readonly prompt: string | undefined;
  /** Path of the MP4; the contact sheet is saved beside it, as a PNG of the same name. */
  readonly output: string;
  /** Whether existing files may be replaced. */
  readonly force: boolean;
  /** Further request fields for the server. */
  readonly rollout: Pick<RolloutRequestBody, "seed" | "speed" | "fps" | "width" | "height">;
}

/** File access of the command. */
export interface WalkFiles {
  /** Undefined when there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** What prevents writing a new file. */
  readonly obstacle: (path: string) => Promise<WriteObstacle | undefined>;
  /** Writes a file completely or not at all, replacing an existing one. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
}

/** What a walk depends on. */
export interface WalkTools {
  readonly files: WalkFiles;
  /** The default start image and prompt. */
  readonly start: () => Promise<ModelStart>;
  /** Decodes some frames of a video. */
  readonly readFrames: (video: Uint8Array, indices: readonly number[]) => Promise<VideoFrames>;
  readonly report: WalkReport;
  /** Cancels the walk. */
  readonly signal: AbortSignal;
  readonly findServer: () => Promise<WalkServer>;
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
}

/**
 * Makes a walk and saves its video and contact sheet. Nothing is written before the walk is complete; an abort cancels
 * it on the server and throws the signal's reason.
 *
 * @throws {UsageError} when the source is missing or the files cannot be written
 * @throws {WorldApiError} when the server refuses or fails
 */
export async function walk(request: WalkRequest, tools: WalkTools): Promise<void> {
  const { files, report, signal } = tools;
  const sheet = request.output.replace(/\.mp4$/i, ".png");
  for (const path of [request.output, sheet]) await checkOutputFile(path, request.force, files.obstacle);
  const source = request.continued ? undefined : await readSource(tools, request.source);
  const prompt = request.prompt ?? (await tools.start()).prompt;
  const server = await tools.findServer();
  try {
    const { client } = server;
    report.emit({ event: "server", url: client.baseUrl, started: server.started });
    const { model } = await client.prepare({ signal });
    report.emit({ event: "ready", model });
    if (source !== undefined) {
      await client.uploadSource(source, { signal });
      report.emit({ event: "source", image: request.source ?? "the embedded corridor" });
    }
    const job = await follow(client, request, prompt, tools);
    const video = await client.output(job.job_id, { signal });
    const picture = await drawSheet(tools, video, job.chunks);
    await files.write(request.output, video);
    if (picture.ok) await files.write(sheet, picture.png);
    report.emit({
      ...summary(job, request, server.started),
      ...(picture.ok ? { sheet } : { sheetProblem: picture.problem }),
    });
  } finally {
    report.end();
    await server.close();
  }
}

async function readSource({ files, start }: WalkTools, path: string | undefined): Promise<Uint8Array> {
  if (path === undefined) return (await start()).image;
  const bytes = await files.read(path);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`Cannot start from ${path}: the file does not exist, expected an image such as a PNG or JPEG`);
}

async function follow(client: WorldClient, request: WalkRequest, prompt: string, tools: WalkTools): Promise<JobRecord> {
  const { actions, weights, latentFrames } = request.walk;
  const body = {
    ...request.rollout,
    prompt,
    action_seq: actions,
    action_speed_list: weights,
    num_output_frames: latentFrames,
  };
  const start = tools.now();
  return await runWalkJob(client, body, {
    signal: tools.signal,
    onProgress: (job) => {
      const seconds = (tools.now() - start) / 1000;
      tools.report.emit({ event: "progress", ...walkProgress(job, actions.length, seconds) });
    },
  });
}

async function drawSheet(
  { readFrames }: WalkTools,
  video: Uint8Array,
  chunks: readonly ChunkRecord[],
): Promise<{ ok: true; png: Uint8Array } | { ok: false; problem: string }> {
  const read = await readFrames(video, sheetFrames(chunks));
  if (!read.ok) return { ok: false, problem: `${read.reason}; to get one, ${read.remedy}` };
  const pictures = Array.from({ length: read.frames.count }, (_, index) => frameAt(read.frames, index));
  return { ok: true, png: await encodePng(walkSheet(pictures)) };
}

function summary(job: JobRecord, request: WalkRequest, started: boolean): Omit<WalkSaved, "sheet" | "sheetProblem"> {
  const receipt = job.rollout_receipt;
  if (receipt === undefined) throw new Error("Cannot summarize the walk: the server sent no receipt for its job");
  const goOn = started
    ? "to continue from the end of a walk, keep svc world serve (npm start in a clone) running and add --continue"
    : "run it again with --continue and another -o to continue from its end";
  return {
    event: "saved",
    video: request.output,
    blocks: job.chunks.length,
    frames: receipt.pixel_frame_count,
    width: receipt.width,
    height: receipt.height,
    fps: receipt.fps,
    next: `open ${request.output}; ${goOn}`,
  };
}
