/**
 * The journal of a world: what happened, in order. A record is written before the server answers.
 *
 * @module
 */
import { joinBytes } from "../../../media/images/bytes.ts";
import { type ArtifactKind, OwnFiles, type OwnRun } from "../artifacts.ts";
import { type ChainNode, nodeRecord, type StateFile } from "./chain_node.ts";
import { RecordWriter } from "./journal_records.ts";
import { type AcceptedJob, type FoundWorld, type Origin, readWorld } from "./read_world.ts";
import type { SessionImage, WorldHead } from "./session_image.ts";
import { SharedWriter } from "./shared_json.ts";

/** Largest journal that is read. */
export const MAX_JOURNAL: number = 512 * 2 ** 20;

/** A journal is rewritten when it has grown by this many bytes, and by as many as it had then. */
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

/** Appends what happens in a world; one record after another. */
export class WorldJournal {
  readonly #file: JournalFile;
  readonly #root: string;
  #records: RecordWriter;
  #values: SharedWriter;
  #head: WorldHead | undefined;
  readonly #written = new Set<number>();
  #own = new OwnFiles();
  /** Bytes now, and when it was rewritten; 0 when it has to be. */
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

  /** An operation that is not a move is about to write a file. */
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

  /** A state now has its own file; what it was made of may no longer be needed. */
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
    this.#base = 0; // a partial write is followed by a rewrite
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
