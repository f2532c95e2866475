/**
 * The journal of a world: what happened, in order. A record is written before the server answers.
 *
 * @module
 */
import { joinBytes } from "../../../media/images/join_bytes.ts";
import * as v from "valibot";
import type { MoveKind } from "../../protocol/requests/move_request.ts";
import { countField, idField, positiveCountField, timeField } from "../../protocol/wire_fields.ts";
import { type ArtifactKind, artifactKinds } from "../artifact_numbers.ts";
import { type ChainNode, nodeRecord, type StateFile } from "./chain_node.ts";
import { OwnFiles, type OwnRun } from "./own_files.ts";
import { readRecords, RecordWriter } from "./journal_records.ts";
import { asSessionImage, headSchema, type SessionImage, type WorldHead } from "./session_image.ts";
import { SharedReader, SharedWriter } from "./shared_json.ts";

/** Largest journal that is read. */
export const MAX_JOURNAL: number = 512 * 2 ** 20;

/** Maximum number of operations whose files a journal names. */
const MAX_OWN = 1_000_000;

/** A journal is written anew when it has grown by this many bytes, and by as many as it had then. */
const GROWTH = 2 * 2 ** 20;

/** The file of a journal. */
export interface JournalFile {
  /** All bytes; undefined when there is none. */
  read(limit: number): Promise<Uint8Array | undefined>;
  /**
   * Adds bytes.
   *
   * @param flush Waits until they are on the disk; else they outlive the process, but not a loss of power.
   */
  append(bytes: Uint8Array, flush: boolean): Promise<void>;
  /** Puts other bytes in its place, all or none of them. */
  replace(bytes: Uint8Array): Promise<void>;
  /** Keeps what cannot be read under another name. */
  setAside(): Promise<void>;
}

/** A job that was accepted. */
export interface AcceptedJob {
  readonly job_id: string;
  readonly move: MoveKind;
  readonly created_at: string;
  /** The number of its files. */
  readonly number: number;
  /** Where its video goes. */
  readonly output: string;
}

/** What made the states of a chain: only the same makes the same again. */
export interface Origin {
  /** Version of this program and a fingerprint of the weights. */
  readonly model: string;
  /** Kind of device and precision. */
  readonly device: string;
}

/** What a journal holds. */
export interface FoundWorld {
  readonly head?: WorldHead;
  readonly image?: SessionImage;
  /** Needed to make the states of the image again, by their numbers. */
  readonly nodes: ReadonlyMap<number, ChainNode>;
  readonly origin?: Origin;
  /** The job that was running. */
  readonly running?: AcceptedJob;
  /** The operations that have made files. */
  readonly own: readonly OwnRun[];
  /** `damaged` also when it is of another version: what it held is not known. */
  readonly state: "new" | "whole" | "cut" | "damaged";
}

const acceptedSchema = v.strictObject({
  job_id: idField,
  move: v.picklist(["transition", "rollout"]),
  created_at: timeField,
  number: positiveCountField,
  output: v.string(),
});
const fileSchema = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^chain-\d{6,15}\.state$/)),
  bytes: countField,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
const text = v.pipe(v.string(), v.maxLength(1_000_000));
const floats = (most: number) => v.pipe(v.instance(Float32Array), v.check((list) => list.length <= most));
const seed = v.bigint();
const latent = v.strictObject({ frame: countField, latent: countField });
/** What an arworld or an actionworld is asked for. */
const requestSchema = v.union([
  v.strictObject({
    prompt: text,
    seed,
    views: floats(48),
    memory: v.exactOptional(v.strictObject({
      recall: v.array(v.strictObject({ ...latent.entries, strength: v.number() })),
      store: v.array(latent),
      forget: v.array(countField),
    })),
  }),
  v.strictObject({
    prompt: text,
    seed,
    frames: v.pipe(positiveCountField, v.maxValue(2001)),
    actions: floats(18_000),
    fps: v.number(),
    steps: v.pipe(positiveCountField, v.maxValue(1000)),
    guidanceScale: v.number(),
    shift: v.number(),
  }),
]);
const nodeSchema = v.strictObject({
  id: positiveCountField,
  seconds: v.pipe(v.number(), v.minValue(0)),
  parent: v.exactOptional(positiveCountField),
  request: v.exactOptional(requestSchema),
  pixels: v.exactOptional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
  file: v.exactOptional(fileSchema),
});
const originSchema = v.strictObject({ model: v.string(), device: v.string() });
const ownSchema = v.pipe(
  v.array(v.strictTuple([v.picklist(artifactKinds), positiveCountField, positiveCountField])),
  v.check((runs) => runs.reduce((sum, [, , count]) => sum + count, 0) <= MAX_OWN),
);
const recordSchema = v.variant("record", [
  v.strictObject({ record: v.literal("own"), runs: ownSchema }),
  v.strictObject({ record: v.literal("world"), head: headSchema }),
  v.strictObject({ record: v.literal("accepted"), job: acceptedSchema }),
  v.strictObject({
    record: v.literal("image"),
    nodes: v.array(nodeSchema),
    session: v.unknown(),
    origin: v.exactOptional(originSchema),
  }),
  v.strictObject({ record: v.literal("state"), id: positiveCountField, file: fileSchema }),
]);

/** Reads all that is whole. */
export function readWorld(bytes: Uint8Array, root: string): { found: FoundWorld; end: number; sum: number } {
  const { payloads, end, sum, state } = readRecords(bytes);
  const reader = new SharedReader(root);
  const nodes = new Map<number, ChainNode>();
  const own: OwnRun[] = [];
  let found: Omit<FoundWorld, "nodes" | "own" | "state"> = {};
  let image: unknown;
  try {
    for (const payload of payloads) {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(payload);
      const value = v.parse(recordSchema, reader.read(text));
      if (value.record === "world") found = { ...found, head: value.head };
      if (value.record === "own") own.push(...value.runs);
      if (value.record === "accepted") {
        found = { ...found, running: value.job };
        own.push([value.job.move, value.job.number, 1]);
      }
      if (value.record === "state") Object.assign(nodes.get(value.id) ?? {}, { file: value.file, parent: undefined });
      if (value.record === "image") {
        for (const { parent, ...node } of value.nodes) {
          if (parent !== undefined && !nodes.has(parent)) throw new SyntaxError("it lacks a state");
          nodes.set(node.id, { ...node, parent: parent === undefined ? undefined : nodes.get(parent) });
        }
        const { running: _ended, ...rest } = found;
        found = { ...rest, ...(value.origin && { origin: value.origin }) };
        image = value.session;
      }
    }
    // Only the last one is looked at closely: it names all that the ones before have left of themselves.
    const last = image === undefined ? undefined : asSessionImage(image);
    if (image !== undefined && !last || last && !hasNodes(last, nodes)) throw new SyntaxError("it has no session");
    return { found: { ...found, ...(last && { image: last }), nodes, own, state }, end, sum };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof v.ValiError || error instanceof TypeError)) throw error;
    const { head } = found;
    return { found: { ...(head && { head }), nodes: new Map(), own: [], state: "damaged" }, end, sum };
  }
}

/** Appends what happens in a world; one record after another. */
export class WorldJournal {
  readonly #file: JournalFile;
  readonly #root: string;
  #records: RecordWriter;
  #values: SharedWriter;
  #head: WorldHead | undefined;
  readonly #written = new Set<number>();
  #own = new OwnFiles();
  /** Bytes now, and when it was written anew; 0 when it has to be. */
  #size = 0;
  #base = 0;
  #committed: [SessionImage | undefined, readonly ChainNode[], Origin | undefined] = [undefined, [], undefined];
  #tail: Promise<void> = Promise.resolve();

  private constructor(file: JournalFile, root: string) {
    this.#file = file;
    this.#root = root;
    this.#records = new RecordWriter();
    this.#values = new SharedWriter(root);
  }

  /**
   * Opens a journal, and reads what it holds.
   *
   * @param root What the paths of the world's files begin with.
   */
  static async open(file: JournalFile, root: string): Promise<{ journal: WorldJournal; found: FoundWorld }> {
    const journal = new WorldJournal(file, root);
    const bytes = await file.read(MAX_JOURNAL);
    if (!bytes || bytes.length === 0) return { journal, found: { nodes: new Map(), own: [], state: "new" } };
    const { found } = readWorld(bytes, root);
    if (found.state === "damaged") await file.setAside();
    return { journal, found };
  }

  /**
   * Names the world, and writes a new journal in the place of the old one.
   *
   * @param own The operations that have made files which may still be there.
   */
  async start(
    head: WorldHead,
    image?: SessionImage,
    nodes: readonly ChainNode[] = [],
    origin?: Origin,
    own: readonly OwnRun[] = [],
  ): Promise<void> {
    this.#head = head;
    this.#own = new OwnFiles(own);
    await this.#next(() => this.#rewrite(image, nodes, origin));
  }

  /** A job was accepted. */
  async accepted(job: AcceptedJob): Promise<void> {
    await this.#next(async () => {
      if (this.#base === 0) await this.#rewrite(...this.#committed);
      await this.#append({ record: "accepted", job }, false); // without it the files of its number stay
      this.#own.add(job.move, job.number);
    });
  }

  /** An operation that is no move is about to write a file. */
  async makes(kind: ArtifactKind, number: number): Promise<void> {
    await this.#next(async () => {
      if (this.#base === 0) await this.#rewrite(...this.#committed);
      await this.#append({ record: "own", runs: [[kind, number, 1]] }, false);
      this.#own.add(kind, number);
    });
  }

  /**
   * A session has changed.
   *
   * @param nodes All that its states need, each after the one that it came from.
   */
  async commit(image: SessionImage, nodes: readonly ChainNode[], origin: Origin | undefined): Promise<void> {
    await this.#next(async () => {
      if (this.#size > 2 * this.#base + GROWTH || this.#base === 0) return await this.#rewrite(image, nodes, origin);
      const fresh = nodes.filter(({ id }) => !this.#written.has(id));
      await this.#append({ record: "image", nodes: fresh.map(nodeRecord), session: image, ...(origin && { origin }) });
      for (const { id } of fresh) this.#written.add(id);
      this.#committed = [image, nodes, origin];
    });
  }

  /** A state has a file of its own now; it may be needed no more what it was made of. */
  async stateSaved(node: ChainNode, file: StateFile): Promise<void> {
    await this.#next(async () => {
      if (this.#base === 0) await this.#rewrite(...this.#committed);
      if (this.#written.has(node.id)) await this.#append({ record: "state", id: node.id, file });
      node.file = file;
      node.parent = undefined;
    });
  }

  /** Ends when all is written. */
  async close(): Promise<void> {
    await this.#tail;
  }

  async #rewrite(
    image: SessionImage | undefined,
    nodes: readonly ChainNode[],
    origin?: Origin | undefined,
  ): Promise<void> {
    this.#records = new RecordWriter();
    this.#values = new SharedWriter(this.#root);
    this.#written.clear();
    const parts = [this.#records.start(), this.#bytes({ record: "world", head: this.#head })];
    const runs = this.#own.runs();
    if (runs.length > 0) parts.push(this.#bytes({ record: "own", runs }));
    if (image) {
      parts.push(
        this.#bytes({ record: "image", nodes: nodes.map(nodeRecord), session: image, ...(origin && { origin }) }),
      );
      for (const { id } of nodes) this.#written.add(id);
    }
    this.#base = 0;
    await this.#file.replace(joinBytes(parts));
    this.#size = this.#base = parts.reduce((sum, part) => sum + part.length, 0);
    this.#committed = [image, nodes, origin];
  }

  async #append(value: unknown, flush = true): Promise<void> {
    const bytes = this.#bytes(value);
    const base = this.#base;
    this.#base = 0; // what is not written whole is written anew
    await this.#file.append(bytes, flush);
    this.#base = base;
    this.#size += bytes.length;
  }

  #bytes(value: unknown): Uint8Array {
    return this.#records.record(new TextEncoder().encode(this.#values.write(value)));
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => {});
    return done;
  }
}

function hasNodes({ chain, graph }: SessionImage, nodes: ReadonlyMap<number, ChainNode>): boolean {
  const named = [
    chain,
    ...graph.checkpoints.map(({ modelState }) => modelState),
    ...graph.edges.map(({ edge }) => edge.modelState),
  ];
  return named.every((id) => id === undefined || nodes.has(id));
}
