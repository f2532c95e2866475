/**
 * Runs a vision command, and writes the result to a folder.
 *
 * @module
 */
import type { ModelApi, VisionAnswer, WireArtifact } from "../../lib/api/service/mod.ts";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "../../lib/platform/files/file_system.ts";
import { basename, dirname, fileURLToPath, join } from "../../lib/platform/files/paths.ts";
import { makeWorkFolder } from "../../lib/platform/files/work_folder.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { openModelApi } from "../../lib/app/models/open_model_api.ts";
import type { VisionForm } from "../../lib/api/service/vision/vision_files.ts";
import { runningApiServers, startInstead } from "../model_api/find_api_server.ts";
import { askVisionServer, findVisionServer, type VisionReport } from "./ask_vision_server.ts";
import type { VisionCommand } from "./vision_flags.ts";
import { visionContent } from "./vision_content.ts";
import { viewerPage } from "./viewer_page.ts";

/** What was written. */
export interface VisionResult {
  readonly answer: VisionAnswer;
  /** The page that shows it. */
  readonly page: string;
  readonly files: readonly string[];
}

/** Milliseconds between two looks at how far the model is. */
const LOOK = 250;

/**
 * Runs the command, on a running server that has its model, else here; the folder has everything or nothing.
 *
 * @throws {SvcError} as the routes, and `output_exists` when the folder has files in it.
 * @throws {ApiError} what a server has refused.
 * @throws the reason of `signal`.
 */
export async function runVision(
  command: VisionCommand,
  report: VisionReport,
  signal: AbortSignal,
): Promise<VisionResult> {
  await checkEmpty(command.output);
  const form = await formOf(command);
  const { url, apiKey } = command;
  const found = await findVisionServer(command, { url, apiKey, running: runningApiServers });
  if (found.client) {
    return await writeResult(command, await askVisionServer(found.client, command.route, form, report, signal));
  }
  return await runHere(command, form, found.others, report, signal);
}

async function runHere(
  command: VisionCommand,
  form: VisionForm,
  others: string,
  { notify, progress }: VisionReport,
  signal: AbortSignal,
): Promise<VisionResult> {
  const { device, adapter, threads } = command;
  const settings = { device, adapter, threads, notify: onlyWaits(notify), log: () => {}, waitForServers: false };
  const opened = await startInstead(others, () =>
    openModelApi(settings, {
      label: "vision",
      readImage: () => Promise.reject(new Error("Cannot read an image: there is no chat model here")),
      checkPath: (path) => Promise.resolve(path),
    }, signal));
  const work = await makeWorkFolder();
  try {
    const prepared = await opened.api.vision(command.route, form);
    for (const warning of prepared.warnings) notify(warning);
    const watch = watchProgress(opened.api, progress);
    const { answer } = await prepared.run(join(work.path, "results"), signal).finally(watch.stop);
    return await writeResult(command, answer);
  } finally {
    await opened.close(AbortSignal.abort());
    await work.remove();
  }
}

/** That no chat model is installed matters nobody here. */
function onlyWaits(notify: VisionReport["notify"]): VisionReport["notify"] {
  return (sentence) => {
    if (sentence.startsWith("Waiting")) notify(sentence);
  };
}

async function checkEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === "ENOENT") return [];
    throw new SvcError("output_exists", `Cannot write to ${folder}: it is not a folder, choose another name`);
  });
  if (names.length === 0) return;
  throw new SvcError(
    "output_exists",
    `Cannot write to ${folder}: it has files in it, expected an empty or missing folder`,
  );
}

async function formOf({ texts, files, field, cameras }: VisionCommand): Promise<VisionForm> {
  const named = [
    ...files.map((path) => ({ field: field as string, path })),
    ...cameras === undefined ? [] : [{ field: "cameras", path: cameras }],
  ];
  const uploads = [];
  for (const { field, path } of named) {
    const info = await stat(path).catch(() => undefined);
    if (!info?.isFile()) {
      throw new SvcError("image_not_found", `Cannot read ${path}: ${info ? "it is not a file" : "it does not exist"}`);
    }
    uploads.push({ field, path, bytes: info.size });
  }
  // The service takes the cameras of objects as text.
  const inline = uploads.find(({ field }) => field === "cameras");
  if (!inline) return { texts, files: uploads };
  const text = new TextDecoder().decode(await readFile(inline.path));
  return { texts: new Map([...texts, ["cameras", [text]] as const]), files: uploads.filter((one) => one !== inline) };
}

function watchProgress(api: ModelApi, progress: VisionReport["progress"]): { readonly stop: () => void } {
  const timer = setInterval(async () => {
    const { admission } = await api.status().catch(() => ({ admission: undefined }));
    const [detail] = admission?.activeRequestDetails ?? [];
    if (detail?.progress) progress(detail.progress.fraction, detail.progress.stage);
    else if (detail?.phase === "loading_model") progress(0, "loading the model");
  }, LOOK);
  return { stop: () => clearInterval(timer) };
}

async function writeResult(command: VisionCommand, answer: VisionAnswer): Promise<VisionResult> {
  const { output } = command;
  const artifacts = filesOf(answer);
  const root = commonFolder(artifacts.map(({ url }) => fileURLToPath(url)));
  await mkdir(output, { recursive: true });
  const files: string[] = [];
  for (const { url } of artifacts) {
    const from = fileURLToPath(url);
    const path = from.slice(root.length + 1).replaceAll("\\", "/");
    await mkdir(dirname(join(output, path)), { recursive: true });
    await copyFile(from, join(output, path));
    files.push(path);
  }
  const relative = JSON.stringify(answer, null, 2).replaceAll(/"file:\/\/[^"]*"/g, (quoted) => {
    const path = fileURLToPath(JSON.parse(quoted)).slice(root.length + 1).replaceAll("\\", "/");
    return JSON.stringify(path);
  });
  await writeFile(join(output, "result.json"), `${relative}\n`);
  const names = command.files.map((path) => basename(path));
  const content = await visionContent(command.route, names, answer, files, (path) => readFile(join(output, path)));
  const page = join(output, "index.html");
  await writeFile(page, await viewerPage(content));
  return { answer, page, files: [...files, "result.json", "index.html"] };
}

/** All files of an answer, each once, wherever it names them. */
function filesOf(answer: VisionAnswer): { readonly url: string }[] {
  const urls = new Set<string>(answer.artifacts.map(({ url }) => url));
  for (const key of ["manifest", "mesh_manifest", "review"]) {
    const one = answer[key] as WireArtifact | undefined;
    if (one) urls.add(one.url);
  }
  if (typeof answer.manifest_url === "string") urls.add(answer.manifest_url);
  return [...urls].sort().map((url) => ({ url }));
}

/** The folder of the result: that of the file with the shortest folder. */
function commonFolder(paths: readonly string[]): string {
  return paths.map((path) => dirname(path)).reduce((short, one) => one.length < short.length ? one : short);
}
