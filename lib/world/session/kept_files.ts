/**
 * The files of a state directory, kept up to a number of bytes.
 *
 * @module
 */
import { isArtifact, numbersOf, type OwnFiles } from "./artifacts.ts";
import type { StoredFile, WorldFiles } from "./world_files.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** What a file takes of a disk at least; it takes whole blocks of this size. */
const DISK_BLOCK = 4096;

/** Maximum number of expired files that are remembered, to distinguish expired from never made. */
const MAX_EXPIRED = 16384;

/** Options of {@linkcode KeptFiles}. */
export interface KeptFilesOptions {
  readonly files: WorldFiles;
  /** Bytes of videos and pictures to keep. */
  readonly limit: number;
  /** The last number of a file that an earlier process has made; 0 by default. */
  readonly made?: number | undefined;
  /** The files that earlier processes of the session have made. */
  readonly own: OwnFiles;
  /** Paths of the files and folders that the session still needs. */
  readonly needed: () => ReadonlySet<string>;
}

/**
 * Files of moves, of which the oldest are removed when there are too many bytes. What the session needs stays, and so
 * does everything since {@linkcode protectFromNow}, even if that is more. Files that clients have named, and files that
 * the session has not made, are neither counted nor removed. A folder of chunks is kept or removed as a whole.
 */
export class KeptFiles implements WorldFiles {
  readonly #options: KeptFilesOptions;
  readonly #root: string;
  /** Bytes of each file or folder directly in the state directory, oldest first. */
  #entries: Promise<Map<string, number>> | undefined;
  #total = 0;
  readonly #recent = new Set<string>();
  readonly #expired = new Set<string>();
  #removing: Promise<void> = Promise.resolve();

  constructor(options: KeptFilesOptions) {
    this.#options = options;
    this.#root = options.files.statePath("x").slice(0, -1);
  }

  /** Protects what is written from now on, and no longer what was written before. */
  protectFromNow(): void {
    this.#recent.clear();
  }

  statePath(name: string): string {
    return this.#options.files.statePath(name);
  }

  list(): Promise<readonly string[]> {
    return this.#options.files.list();
  }

  sizes(): Promise<ReadonlyMap<string, number>> {
    return this.#options.files.sizes();
  }

  async writeNew(path: string, bytes: Uint8Array): Promise<void> {
    const entry = this.#entryOf(path);
    const entries = await this.#load();
    if (entry !== undefined) this.#recent.add(entry);
    await this.#options.files.writeNew(path, bytes);
    if (entry === undefined) return;
    this.#count(entries, entry, bytes.length);
    this.#removing = this.#removing.then(() => this.#shrink(entries));
    await this.#removing;
  }

  async remove(path: string): Promise<void> {
    await this.#options.files.remove(path);
    if (this.#entryOf(path) === path) this.#forget(await this.#load(), path);
  }

  /** @throws {SvcError} `media_expired` for a file that was removed because there were too many bytes. */
  async open(path: string): Promise<StoredFile | undefined> {
    const file = await this.#options.files.open(path);
    if (!file && this.#isExpired(this.#entryOf(path))) {
      const message = `Cannot open the file: it has been removed to keep at most ${this.#options.limit} bytes, ` +
        "fetch files earlier or let the server keep more";
      throw new SvcError("media_expired", message);
    }
    return file;
  }

  readClientFile(path: string, limit: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#options.files.readClientFile(path, limit);
  }

  clientOutput(path: string): Promise<string> {
    return this.#options.files.clientOutput(path);
  }

  /** What was made and is gone has expired, also when an earlier process has removed it. */
  #isExpired(entry: string | undefined): boolean {
    if (entry === undefined) return false;
    const [number = Infinity] = numbersOf([entry.slice(this.#root.length)]);
    return this.#expired.has(entry) || number <= (this.#options.made ?? 0);
  }

  /** The artifact, directly in the state directory, that a path is or belongs to. */
  #entryOf(path: string): string | undefined {
    if (!path.startsWith(this.#root)) return undefined;
    const [name] = path.slice(this.#root.length).split(/[/\\]/);
    return isArtifact(name) ? this.#root + name : undefined;
  }

  #load(): Promise<Map<string, number>> {
    const { files, own } = this.#options;
    return this.#entries ??= files.sizes().then((sizes) => {
      const entries = new Map<string, number>();
      for (const [path, bytes] of sizes) {
        const entry = this.#entryOf(path);
        if (entry !== undefined && own.has(entry.slice(this.#root.length))) this.#count(entries, entry, bytes);
      }
      return entries;
    });
  }

  #count(entries: Map<string, number>, entry: string, bytes: number): void {
    const onDisk = Math.ceil(bytes / DISK_BLOCK) * DISK_BLOCK;
    entries.set(entry, (entries.get(entry) ?? 0) + onDisk);
    this.#total += onDisk;
  }

  #forget(entries: Map<string, number>, entry: string): void {
    this.#total -= entries.get(entry) ?? 0;
    entries.delete(entry);
    this.#recent.delete(entry);
  }

  async #shrink(entries: Map<string, number>): Promise<void> {
    const { limit, files } = this.#options;
    if (this.#total <= limit) return;
    const needed = this.#options.needed();
    for (const entry of [...entries.keys()]) {
      if (this.#total <= limit) return;
      if (needed.has(entry) || this.#recent.has(entry)) continue;
      this.#expired.add(entry);
      // A file that cannot be removed now, because somebody reads it on Windows, is tried again at the next write.
      if (await files.remove(entry).then(() => true, () => false)) this.#forget(entries, entry);
    }
    for (const entry of this.#expired) {
      if (this.#expired.size <= MAX_EXPIRED) break;
      this.#expired.delete(entry);
    }
  }
}
