import { encodePng } from "../../lib/media/images/png.ts";
import type { VideoFrames } from "../../lib/media/video/media.ts";
import { frameAt } from "../../lib/media/images/rgb_image.ts";
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { ModelStart } from "../../lib/world/protocol/model_files.ts";
import { promptOfPicture, unknownPlace } from "../../lib/world/protocol/known_places.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { checkOutputFile } from "../output_file.ts";
import type { WriteObstacle } from "../../lib/platform/files/user_files.ts";
import type { ChunkRecord } from "../../lib/world/protocol/job_record.ts";
import { type MadeWalk, makeWalk } from "./make_walk.ts";
import type { WalkReport, WalkSaved } from "./walk_report.ts";
import type { WalkRequest } from "./walk_request.ts";
import type { WalkServer } from "./walk_server.ts";
import { sheetFrames, walkSheet } from "./walk_sheet.ts";

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
  /** Makes a picture of the prompt. */
  readonly makePicture: (prompt: string, request: WalkRequest, signal: AbortSignal) => Promise<Uint8Array>;
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
  const source = request.continued ? undefined : await readSource(tools, request);
  const server = await tools.findServer();
  try {
    const { client } = server;
    report.emit({ event: "server", url: client.baseUrl, started: server.started });
    const { prompt, isAssumed } = await promptOf(tools, client, request, source);
    const { model } = await client.prepare({ signal });
    report.emit({ event: "ready", model });
    if (source !== undefined) {
      // Said before the walk that is there is given up; a server of an earlier version cannot look at pictures.
      const image = request.source ?? (request.prompt?.trim() ? "a picture of the prompt" : undefined);
      const check = image === undefined ? undefined : await client.checkSource(source, { signal }).catch(() => {
        signal.throwIfAborted();
      });
      const warning = check && unknownPlace(model.id, check);
      report.emit({
        event: "source",
        image: image ?? "the embedded corridor",
        ...(warning !== undefined && { warning }),
        ...(isAssumed && { assumedPrompt: prompt }),
      });
      await client.uploadSource(source, { signal });
    }
    const made = await makeWalk({ ...tools, client }, request, prompt);
    const picture = await drawSheet(tools, made.video, made.chunks);
    await files.write(request.output, made.video);
    if (picture.ok) await files.write(sheet, picture.png);
    report.emit({
      ...summary(made, request, server.started),
      ...(picture.ok ? { sheet } : { sheetProblem: picture.problem }),
    });
  } finally {
    report.end();
    await server.close();
  }
}

async function readSource(
  { files, start, makePicture, signal }: WalkTools,
  request: WalkRequest,
): Promise<Uint8Array> {
  const { source: path, prompt } = request;
  if (path === undefined && prompt?.trim()) return await makePicture(prompt, request, signal);
  if (path === undefined) return (await start()).image;
  const bytes = await files.read(path);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`Cannot start from ${path}: the file does not exist, expected an image such as a PNG or JPEG`);
}

/** What is walked with: a walk continues with its last prompt, and a picture of the model brings its own caption. */
async function promptOf(
  { start, signal }: WalkTools,
  client: WorldClient,
  request: WalkRequest,
  source: Uint8Array | undefined,
): Promise<{ readonly prompt: string; readonly isAssumed: boolean }> {
  if (request.prompt !== undefined) return { prompt: request.prompt, isAssumed: false };
  const known = await start();
  if (source === undefined) {
    const { states, currentStateId } = await client.walk({ signal });
    const last = states.find(({ stateId }) => stateId === currentStateId)?.move?.request?.prompt;
    return { prompt: last ?? known.prompt, isAssumed: false };
  }
  const prompt = await promptOfPicture(known, source);
  return { prompt: prompt ?? known.prompt, isAssumed: prompt === undefined };
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

function summary(made: MadeWalk, request: WalkRequest, started: boolean): Omit<WalkSaved, "sheet" | "sheetProblem"> {
  const { chunks, frames, format: { width, height, fps } } = made;
  const goOn = started
    ? "to continue from the end of a walk, keep svc world serve (npm start in a clone) running and add --continue"
    : "run it again with --continue and another -o to continue from its end";
  return {
    event: "saved",
    video: request.output,
    blocks: chunks.length,
    frames,
    width,
    height,
    fps,
    next: `open ${request.output}; ${goOn}`,
  };
}
