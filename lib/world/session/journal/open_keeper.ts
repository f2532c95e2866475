/**
 * Opens the journal of a world and restores the session that it holds.
 *
 * @module
 */
import type { RgbImage } from "../../../media/images/rgb_image.ts";
import { MAX_IMAGE_BYTES } from "../../../media/images/image_format.ts";
import type { BackendName } from "../../protocol/wire.ts";
import type { JobRecord } from "../../protocol/job_record.ts";
import { endsWithSession, namesIn, numbersOf, OwnFiles } from "../artifacts.ts";
import { INITIAL_STATE, stateAtSource } from "../graph/session_state.ts";
import type { ShownFrame } from "../scene/scene.ts";
import type { WorldFiles } from "../world_files.ts";
import type { ChainNode, StateFiles } from "./chain_node.ts";
import type { KeptChain } from "./kept_chain.ts";
import { isReplayable } from "./replay_limits.ts";
import { needed, SessionKeeper } from "./session_keeper.ts";
import type { SessionImage, WorldHead } from "./session_image.ts";
import { type JournalFile, WorldJournal } from "./world_journal.ts";
import type { AcceptedJob, FoundWorld } from "./read_world.ts";

/** How far the clock of a disk may lag, in milliseconds. */
const CLOCKS = 100;

/** What opening a journal needs. */
interface OpenKeeperOptions {
  readonly file: JournalFile;
  /** The files of the model's states. */
  readonly states: StateFiles;
  /** The pictures and videos of the world. */
  readonly files: WorldFiles;
  readonly decodeImage: (bytes: Uint8Array) => Promise<RgbImage>;
  // deno-lint-ignore no-explicit-any -- a chain of either kind
  readonly chain: KeptChain<any, any>;
  /** The world as it is to be called if the journal is new. */
  readonly head: WorldHead;
  readonly backend: BackendName;
  /** Version of this program and a fingerprint of the weights. */
  readonly model: () => Promise<string>;
  readonly newId: () => string;
  readonly clock: () => Date;
  /** Whether the caller starts the job again that was running; else its record says that it was cancelled. */
  readonly resumes?: boolean | undefined;
  readonly onEvent?: (entry: { level: "info" | "error"; event: string; detail: Record<string, unknown> }) => void;
}

/** A journal that is open for a session. */
interface OpenedKeeper {
  readonly head: WorldHead;
  readonly keeper: SessionKeeper;
}

/**
 * Reads a journal, repairs what a killed process has left, and rewrites it. What the world has made and no state
 * needs is removed.
 * Where the state itself cannot be taken up, the world begins with its last picture.
 */
export async function openKeeper(options: OpenKeeperOptions): Promise<OpenedKeeper> {
  const { file, files, chain, clock, onEvent = () => {} } = options;
  const root = files.statePath("x").slice(0, -1);
  const { journal, found } = await WorldJournal.open(file, root);
  // Journals of earlier versions do not list operations: their files are those that states and jobs refer to.
  const own = new OwnFiles(found.own, namesIn(found.image, root));
  const head = found.head ?? options.head;
  if (found.state === "damaged") {
    onEvent({ level: "error", event: "world_journal_set_aside", detail: { world_id: head.id } });
  }
  // A new journal has no session yet; one that has been cut before its session had one.
  const isLost = found.state === "damaged" || found.state === "cut" && !found.image;
  let image = isLost ? await atLastPicture(options) : found.image;
  if (image && !isLost) image = await withPictures(image, found, options);
  if (image && found.running && !options.resumes) {
    image = { ...image, jobs: [...image.jobs, cancelled(found.running, clock())] };
  }
  if (image) image = { ...image, lastNumber: Math.max(image.lastNumber, own.last) };
  const nodes = isLost ? new Map<number, ChainNode>() : found.nodes;
  await removeUnneeded(options, { ...found, nodes }, own, isLost ? undefined : image);
  if (image) {
    const { graph } = image;
    const kept = [
      ...graph.checkpoints.map(({ modelState }) => modelState),
      ...graph.edges.map(({ edge }) => edge.modelState),
    ].flatMap((id) => id === undefined ? [] : nodes.get(id)!);
    chain.adopt(image.chain === undefined ? undefined : nodes.get(image.chain), kept, image.lastNode);
  }
  const used = image ? needed(image.graph, chain.current, (id) => chain.node(id)) : [];
  const origin = used.length > 0 ? found.origin : undefined;
  await journal.start(head, image, used, origin, own.runs(await files.list()));
  return { head, keeper: new SessionKeeper({ journal, chain, model: options.model, restored: image, origin, own }) };
}

/** The image with the pictures of all its frames; without what needs one that is gone. */
async function withPictures(
  image: SessionImage,
  { head, origin, nodes }: FoundWorld,
  options: OpenKeeperOptions,
): Promise<SessionImage> {
  const { files, decodeImage, backend, newId } = options;
  const read = new Map<string, Promise<RgbImage | undefined>>();
  const fill = async (frame: ShownFrame | undefined): Promise<boolean> => {
    if (!frame) return true;
    const known = read.get(frame.path) ?? readPicture(files, frame.path, decodeImage);
    read.set(frame.path, known);
    const picture = await known;
    if (picture) Object.assign(frame, { image: picture });
    return picture !== undefined;
  };
  const { graph } = image;
  const { state } = graph;
  if (!await fill(state.frame)) return await atLastPicture(options);
  const isOther = head?.backend !== backend || origin !== undefined && origin.model !== await options.model();
  const geometries = [state, ...graph.checkpoints.map((checkpoint) => checkpoint.state)].map((at) => at.geometry);
  const isBeyond = !isOther && !isReplayable(backend, nodes.values(), geometries);
  if (isBeyond || isOther && (state.depth > 0 || graph.checkpoints.length > 0)) {
    const made = isBeyond ? "made by more than a request may ask for" : "made by another model or with other weights";
    const reason = `${made}, continues from its last image`;
    options.onEvent?.({ level: "error", event: "world_from_picture", detail: { world_id: head?.id, reason } });
    return fresh(image, stateAtSource(newId(), state.frame!, state.transitions));
  }
  for (const { state } of graph.checkpoints) {
    if (!await fill(state.frame)) return fresh(image, stateAtSource(newId(), graph.state.frame!, state.transitions));
  }
  const states = [state, ...graph.checkpoints.map((checkpoint) => checkpoint.state)];
  const missing = new Set<string>();
  for (const { edges } of states) {
    for (const { id, source } of edges) if (!await fill(source.frame)) missing.add(id);
  }
  const edges = graph.edges.filter(({ id }) => !missing.has(id));
  return { ...image, graph: { ...graph, edges }, continuity: image.continuity ?? "exact" };
}

/** The session without its graph. */
function fresh(image: SessionImage, state: SessionImage["graph"]["state"]): SessionImage {
  const { chain: _chain, ...rest } = image;
  return { ...rest, graph: { state, checkpoints: [], edges: [] }, continuity: "picture" };
}

async function atLastPicture(options: OpenKeeperOptions): Promise<SessionImage> {
  const { files, newId } = options;
  const path = lastPicture(await files.list());
  const picture = path && await readPicture(files, files.statePath(path), options.decodeImage);
  const state = path && picture
    ? stateAtSource(newId(), { image: picture, path: files.statePath(path) })
    : INITIAL_STATE;
  const graph = { state, checkpoints: [], edges: [] };
  return { sessionId: newId(), graph, lastNumber: 0, lastNode: 0, jobs: [], continuity: "picture" };
}

async function readPicture(
  files: WorldFiles,
  path: string,
  decodeImage: OpenKeeperOptions["decodeImage"],
): Promise<RgbImage | undefined> {
  try {
    const file = await files.open(path);
    if (!file || file.size > MAX_IMAGE_BYTES || file.size === 0) return undefined;
    return await decodeImage(new Uint8Array(await new Response(file.stream(0, file.size - 1)).arrayBuffer()));
  } catch {
    return undefined; // no longer an image
  }
}

/**
 * Removes what a job has written that did not end, and what no state needs, of the files that the world has made.
 *
 * @param image The session; undefined when the journal does not say what the world needs.
 */
async function removeUnneeded(
  { files, states }: OpenKeeperOptions,
  { running, nodes, image: written }: FoundWorld,
  own: OwnFiles,
  image: SessionImage | undefined,
): Promise<void> {
  const { checkpoints = [], edges = [] } = image?.graph ?? {};
  const needs = new Set([...checkpoints.map(({ framePath }) => framePath), ...edges.map(({ edge }) => edge.folder)]);
  const last = written?.lastNumber ?? Infinity;
  for (const name of await files.list()) {
    if (!own.has(name)) continue;
    const path = files.statePath(name);
    const [number] = numbersOf([name]);
    if (endsWithSession(name) ? !needs.has(path) : number > last) await files.remove(path);
  }
  if (running) await removeOutput(files, running);
  const kept = new Set([...nodes.values()].flatMap(({ file }) => file?.name ?? []));
  for (const name of await states.list()) if (!kept.has(name)) await states.remove(name);
}

/** A video elsewhere is written last, and only where there was no file. */
async function removeOutput(files: WorldFiles, { output, created_at }: AcceptedJob): Promise<void> {
  const file = await files.open(output).catch(() => undefined);
  if (file && file.modified >= Date.parse(created_at) - CLOCKS) await files.remove(output);
}

/** The record of a job that its process took with it. */
function cancelled({ job_id, move, created_at }: AcceptedJob, now: Date): JobRecord {
  return {
    jobId: job_id,
    kind: move,
    status: "cancelled",
    createdAt: created_at,
    completedAt: now.toISOString(),
    progressEvents: [],
    chunks: [],
  };
}

/** The name of the newest picture that a world has shown, of the names in its state directory. */
function lastPicture(names: readonly string[]): string | undefined {
  const numbered = names.flatMap((name) => {
    const number = /^(?:state|source)-(\d{4,15})\.png$/.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  return numbered.sort((a, b) => a.number - b.number).at(-1)?.name;
}
