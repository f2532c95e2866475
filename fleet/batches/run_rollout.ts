/**
 * Makes one batch rollout in a session of its own.
 *
 * @module
 */
import type { BlobStore } from "../files/blob_store.ts";
import type { RolloutFile, RolloutRecord, RolloutResult } from "../protocol/rollout_records.ts";
import { RolloutRefused } from "../protocol/rollout_worker.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { openMedia } from "../../lib/media/video/open_media.ts";
import { pathPolicy } from "../../lib/platform/files/path_policy.ts";
import { readUserFile } from "../../lib/platform/files/user_files.ts";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import { WorldSession } from "../../lib/world/session/world_session.ts";
import { readModelStart } from "../../lib/world/host/models/model_folder.ts";
import type { ServedModel } from "../../lib/app/world/served_model.ts";
import { SessionJobs } from "../../lib/world/host/session_jobs.ts";
import { stateFiles } from "../../lib/world/host/state_files.ts";

/** What rollouts share on a worker. */
export interface RunRolloutOptions {
  readonly served: ServedModel;
  readonly files: BlobStore;
  readonly encoder?: string | undefined;
}

/**
 * Makes a rollout; its video and its last frame are then files of the fleet.
 *
 * @throws {RolloutRefused} when the model cannot make it at all.
 */
export async function runRollout(
  { served, files, encoder }: RunRolloutOptions,
  { spec }: RolloutRecord,
  signal: AbortSignal,
): Promise<RolloutResult> {
  const begun = performance.now();
  const { source, ...request } = JSON.parse(spec) as Record<string, unknown>;
  const image = typeof source === "string" ? await files.get(source) : (await readModelStart(served.location)).image;
  if (!image) throw new RolloutRefused("Cannot begin the rollout: its source is not in the fleet, submit it again");
  const folder = await makeTemporaryDirectory();
  const media = openMedia(encoder === undefined ? {} : { encoder });
  const pixels: string[] = [];
  const session = new WorldSession({
    backend: served.openBackend(),
    record: served.record,
    roots: served.roots,
    memory: served.memory,
    media,
    files: stateFiles(folder.path, { policy: pathPolicy([folder.path]) }),
    clock: () => new Date(),
    newId: () => crypto.randomUUID(),
    onChunk: async (chunk) => {
      pixels.push(await sha256(chunk.frames.data));
      await jobs.deliver(chunk);
    },
  });
  const jobs: SessionJobs = new SessionJobs(session);
  const put = async (path: string): Promise<RolloutFile> => {
    const bytes = (await readUserFile(path))!;
    const file = { sha256: await sha256(bytes), size: bytes.length };
    await files.put(file.sha256, bytes);
    return file;
  };
  try {
    await session.setSource(image);
    const job = jobs.run(() => session.startRollout(request), signal);
    let step = await job.next();
    while (!step.done) step = await job.next();
    const { outputPath, terminalFramePath, pixelFrameCount } = step.value;
    return {
      video: await put(outputPath),
      frame: await put(terminalFramePath),
      pixels_sha256: await sha256(new TextEncoder().encode(pixels.join("\n"))),
      pixel_frame_count: pixelFrameCount,
      seconds: Math.round(performance.now() - begun) / 1000,
    };
  } catch (error) {
    const isRefused = error instanceof SvcError && error.type === "invalid_request_error";
    throw isRefused ? new RolloutRefused(error.message, { cause: error }) : error;
  } finally {
    await session.close();
    await folder.remove();
  }
}
