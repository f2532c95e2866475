/**
 * Asks a running server for the result of a vision command.
 *
 * @module
 */
import { managedModels } from "../../lib/api/service/vision/managed_models.ts";
import { type VisionAnswer, visionPaths, type VisionRoute } from "../../lib/api/service/mod.ts";
import { readFile } from "../../lib/platform/files/file_system.ts";
import { basename } from "../../lib/platform/files/paths.ts";
import type { ApiClient } from "../model_api/api_client.ts";
import { findApiServer, type FindServerOptions, type FoundServer } from "../model_api/find_api_server.ts";
import type { VisionCommand } from "./vision_flags.ts";
import { TEST_PREFIX } from "../../lib/store/catalog/test_model.ts";

/** What a run reports while it works. */
export interface VisionReport {
  /** A sentence for people. */
  readonly notify: (sentence: string) => void;
  /** How far it is, 0 to 1, and with what. */
  readonly progress: (fraction: number, stage: string) => void;
}

/** Milliseconds between two looks at how far the model is. */
const LOOK = 500;

const models: Readonly<Record<VisionRoute, string>> = {
  geometry: managedModels.geometry.id,
  multiview: managedModels.multiview.id,
  imageTo3d: managedModels.imageTo3d.id,
  viewsTo3d: managedModels.viewsTo3d.id,
  depthVideo: managedModels.depthVideo.id,
};

/**
 * Finds a server that has the model of a command. A command that says where its model runs is for this process, unless it
 * names a server.
 */
export async function findVisionServer(
  { route, texts, url, device, adapter, threads }: VisionCommand,
  options: FindServerOptions,
): Promise<FoundServer> {
  const isOwn = device !== "auto" || adapter !== undefined || threads !== undefined;
  if (url === undefined && isOwn) return { client: undefined, others: "" };
  const [wanted] = texts.get("model") ?? [models[route]];
  return await findApiServer({ ...options, url }, ({ id }) => id === wanted || id === TEST_PREFIX + wanted);
}

/** Texts and files of a request. */
interface SentForm {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly { readonly field: string; readonly path: string }[];
}

/**
 * Sends a request; the files of the answer are on this machine.
 *
 * @throws {ApiError}
 */
export async function askVisionServer(
  client: ApiClient,
  route: VisionRoute,
  { texts, files }: SentForm,
  { notify, progress }: VisionReport,
  signal: AbortSignal,
): Promise<VisionAnswer> {
  const form = new FormData();
  for (const [name, [text]] of texts) form.append(name, text);
  for (const { field, path } of files) {
    form.append(field, new Blob([new Uint8Array(await readFile(path))]), basename(path));
  }
  const timer = setInterval(() => void look(client, progress, signal), LOOK);
  try {
    const response = await client.postForm(visionPaths[route], form, signal);
    const warnings = response.headers.get("x-svc-warning");
    if (warnings !== null) notify(`svc: ${warnings}`);
    return await response.json();
  } finally {
    clearInterval(timer);
  }
}

async function look(client: ApiClient, progress: VisionReport["progress"], signal: AbortSignal): Promise<void> {
  const status = await client.get("/runtime/status", signal).catch(() => undefined) as {
    admission?: { activeRequestDetails?: readonly { progress?: { fraction: number; stage: string } }[] };
  } | undefined;
  const found = status?.admission?.activeRequestDetails?.at(-1)?.progress;
  if (found) progress(found.fraction, found.stage);
}
