/**
 * The files of a world on this machine, and as blobs that all workers can read.
 *
 * @module
 */
import type { BlobStore } from "../files/blob_store.ts";
import type { ClusterClock } from "../protocol/broker.ts";
import { diskError } from "../../lib/platform/files/disk_error.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import type { StateFiles } from "../../lib/world/session/journal/chain_node.ts";
import type { WorldFiles } from "../../lib/world/session/world_files.ts";
import { JOURNAL_FOLDER } from "../../lib/world/host/journal_files.ts";
import { brokerTrouble } from "../nats/broker_trouble.ts";
import type { FleetFile } from "./fleet_entries.ts";

/** How often a blob is tried to be written where the broker is not at fault, and milliseconds between: first and most. */
const TRIES = 5;
const AGAIN = 400;
const MOST = 3200;

/** What has changed since the last entry. */
export interface FileChanges {
  readonly files: readonly (readonly [string, FleetFile])[];
  readonly removed: readonly string[];
}

/** What the files of a world are kept with. */
export interface FleetFilesOptions {
  readonly blobs: BlobStore;
  /** The folder of the world. */
  readonly root: string;
  /** Files that other workers have written, by their names. */
  readonly known: ReadonlyMap<string, FleetFile>;
  readonly clock: ClusterClock;
  /** Aborts when the world is no longer written here. */
  readonly ended: AbortSignal;
}

/** Writes every file twice, here and as a blob; brings those here that another worker has written. */
export class FleetFiles {
  readonly #options: FleetFilesOptions;
  readonly #root: string;
  readonly #known: Map<string, FleetFile>;
  readonly #fresh = new Map<string, Promise<FleetFile>>();
  readonly #removed = new Set<string>();

  constructor(options: FleetFilesOptions) {
    this.#options = options;
    this.#root = join(options.root, "/");
    this.#known = new Map(options.known);
  }

  /** All files that are written down. */
  get known(): ReadonlyMap<string, FleetFile> {
    return this.#known;
  }

  /** Waits until all new files are blobs; the next call has only those after. */
  async changes(): Promise<FileChanges> {
    const removed = [...this.#removed];
    const fresh = [...this.#fresh];
    const files = await Promise.all(fresh.map(async ([name, put]) => [name, await put] as const));
    for (const [name, put] of fresh) if (this.#fresh.get(name) === put) this.#fresh.delete(name);
    for (const name of removed) this.#removed.delete(name);
    for (const [name, file] of files) this.#known.set(name, file);
    return { files, removed };
  }

  /** Pictures and videos. */
  world(local: WorldFiles): WorldFiles {
    return {
      ...local,
      writeNew: async (path, bytes) => {
        await local.writeNew(path, bytes);
        this.#add(this.#nameOf(path), bytes);
      },
      remove: async (path) => {
        await local.remove(path);
        this.#forget(this.#nameOf(path));
      },
      open: async (path) => {
        const here = await local.open(path);
        if (here) return here;
        const name = this.#nameOf(path);
        const bytes = name === undefined ? undefined : await this.#fetch(name);
        if (!bytes) return undefined;
        await local.writeNew(path, bytes).catch(() => {}); // another request was faster
        return await local.open(path);
      },
    };
  }

  /** States of the model. */
  states(local: StateFiles): StateFiles {
    const nameOf = (name: string): string => `${JOURNAL_FOLDER}/${name}`;
    return {
      write: async (name, bytes) => {
        await local.write(name, bytes);
        this.#add(nameOf(name), bytes);
      },
      read: async (name, limit) => {
        const here = await local.read(name, limit);
        if (here) return here;
        const known = this.#known.get(nameOf(name));
        return known && known.size <= limit ? await this.#fetch(nameOf(name)) : undefined;
      },
      remove: async (name) => {
        await local.remove(name);
        this.#forget(nameOf(name));
      },
      list: () => local.list(),
    };
  }

  #nameOf(path: string): string | undefined {
    return path.startsWith(this.#root) ? path.slice(this.#root.length).replaceAll("\\", "/") : undefined;
  }

  #add(name: string | undefined, bytes: Uint8Array): void {
    if (name === undefined) return;
    const put = this.#put(bytes.slice());
    put.catch(() => {}); // the journal entry that names it waits for it and fails
    this.#fresh.set(name, put);
    this.#removed.delete(name);
  }

  /** Writes a blob. While the broker is away or full, this retries, as for the journal. */
  async #put(bytes: Uint8Array): Promise<FleetFile> {
    const { blobs, clock, ended } = this.#options;
    const file = { sha256: await sha256(bytes), size: bytes.length };
    for (let tries = 1, pause = AGAIN;; tries++, pause = Math.min(MOST, 2 * pause)) {
      try {
        await blobs.put(file.sha256, bytes);
        return file;
      } catch (error) {
        if (ended.aborted || tries >= TRIES && brokerTrouble(error) === undefined) {
          throw diskError(error, "Cannot keep a file of the world where all workers find it");
        }
        await clock.wait(pause, ended);
      }
    }
  }

  async #fetch(name: string): Promise<Uint8Array | undefined> {
    const file = this.#known.get(name);
    const bytes = file && await this.#options.blobs.get(file.sha256);
    return bytes && bytes.length === file.size && await sha256(bytes) === file.sha256 ? bytes : undefined;
  }

  /** A file, or a folder with all that it has. */
  #forget(name: string | undefined): void {
    if (name === undefined) return;
    const isIn = (other: string): boolean => other === name || other.startsWith(`${name}/`);
    for (const other of [...this.#fresh.keys()]) if (isIn(other)) this.#fresh.delete(other);
    for (const other of [...this.#known.keys()]) {
      if (!isIn(other)) continue;
      this.#known.delete(other);
      this.#removed.add(other);
    }
  }
}
