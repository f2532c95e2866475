/**
 * The worlds of one server: one that is always there, and those that clients open.
 *
 * @module
 */
import type { WorldRecord, WorldRequest } from "../protocol/world_record.ts";
import { conflict, notFound, SvcError } from "../../errors/svc_error.ts";
import type { AnswerStore } from "./journal/answer_file.ts";
import type { WorldHead } from "./journal/session_image.ts";
import type { WorldSession } from "./world_session.ts";

/** Worlds of a server by default, the first one included. */
export const MAX_WORLDS = 8;

/** What a path may call the first world, besides its id. */
const FIRST = "default";

/** The session of a world with what it needs of its surroundings. */
export interface OpenedWorld {
  readonly session: WorldSession;
  /** What it was called when it was opened first. */
  readonly head: WorldHead;
  /** Where answers outlive the process; nowhere by default. */
  readonly answers?: AnswerStore | undefined;
  /** Removes its files, once its session is closed. */
  remove(): Promise<void>;
}

/** A world. */
export interface World {
  readonly id: string;
  readonly session: WorldSession;
  /** Where answers of its requests outlive the process. */
  readonly answers?: AnswerStore | undefined;
  /** Aborts when the world is gone. */
  readonly ended: AbortSignal;
}

/** Options of {@linkcode Worlds}. */
export interface WorldsOptions {
  /** The world that is there from the start and cannot be deleted. */
  readonly first: OpenedWorld;
  /** Those that an earlier process has left. */
  readonly restored?: readonly OpenedWorld[] | undefined;
  /** Refuses one that there is no memory for; asked before it is opened. */
  readonly admit?: (() => Promise<void>) | undefined;
  /** Opens another one, whose model shares the engine of the first. */
  readonly open: (head: WorldHead) => Promise<OpenedWorld>;
  /** Whether worlds outlive their server; else their files go when it is closed, but those of the first. */
  readonly areKept?: boolean | undefined;
  /** Maximum number of worlds; {@linkcode MAX_WORLDS} by default. */
  readonly maxWorlds?: number | undefined;
  readonly newId: () => string;
  readonly clock: () => Date;
}

interface Entry extends World, OpenedWorld {
  readonly end: AbortController;
  /** Its last change, and when it was noticed. */
  seen: number;
  since: number;
}

/** The worlds of a server by their ids. */
export class Worlds {
  readonly #options: WorldsOptions;
  readonly #worlds = new Map<string, Entry>();
  readonly #first: Entry;
  /** Worlds that are being opened or closed: they have their place already, or still. */
  #changing = 0;
  #closing: Promise<void> | undefined;

  constructor(options: WorldsOptions) {
    this.#options = options;
    this.#first = entryOf(options.first);
    this.#worlds.set(this.#first.id, this.#first);
    const restored = [...options.restored ?? []].sort((a, b) => a.head.created_at < b.head.created_at ? -1 : 1);
    for (const world of restored) this.#worlds.set(world.head.id, entryOf(world));
  }

  /** The world that is always there. */
  get first(): World {
    return this.#first;
  }

  /**
   * The world with an id, in either case, or called `default`.
   *
   * @throws {SvcError} `world_not_found`.
   */
  get(id: string): World {
    return this.#find(id);
  }

  /** The records of all worlds, the oldest first. */
  list(): WorldRecord[] {
    return [...this.#worlds.values()].map((world) => this.#record(world));
  }

  /** The record of a world; throws as {@linkcode get}. */
  record(id: string): WorldRecord {
    return this.#record(this.#find(id));
  }

  /**
   * Opens a world, cold and without an image.
   *
   * @param id Its id; the world that has it already is the one that is meant.
   * @throws {SvcError} `too_many_worlds`, `memory_pressure`, `session_closed`.
   */
  async open(request: WorldRequest, id: string = this.#options.newId()): Promise<WorldRecord> {
    this.#checkOpen("open a world");
    const { maxWorlds = MAX_WORLDS } = this.#options;
    if (this.#worlds.has(id)) return this.record(id);
    if (this.#worlds.size + this.#changing >= maxWorlds) {
      const message = `Cannot open a world: there are ${maxWorlds} already, as many as are allowed, delete one first`;
      throw new SvcError("too_many_worlds", message);
    }
    this.#changing++;
    try {
      await this.#options.admit?.();
      const world = entryOf(await this.#options.open(this.#head(id, request)));
      if (this.#closing) {
        await this.#end(world, true);
        this.#checkOpen("open a world");
      }
      this.#worlds.set(id, world);
      return this.#record(world);
    } finally {
      this.#changing--;
    }
  }

  /**
   * Cancels what a world does, closes it and removes its files; returns its last record.
   *
   * @throws {SvcError} `world_not_found`, `default_world` for the first one.
   */
  async remove(id: string): Promise<WorldRecord> {
    const world = this.#find(id);
    if (world === this.#first) {
      throw conflict("default_world", "Cannot delete this world: a server always has it, reset its session instead");
    }
    const record = this.#record(world);
    this.#worlds.delete(world.id);
    this.#changing++;
    await this.#end(world, true).finally(() => this.#changing--);
    return record;
  }

  /**
   * Checks whether there is memory for another world.
   *
   * @throws {SvcError} `memory_pressure`.
   */
  async admit(): Promise<void> {
    await this.#options.admit?.();
  }

  /** Takes a world in that was opened elsewhere, after {@linkcode admit}. */
  adopt(opened: OpenedWorld): void {
    this.#worlds.set(opened.head.id, entryOf(opened));
  }

  /** Closes a world and leaves its files alone; does nothing when there is none. */
  async release(id: string): Promise<void> {
    const world = this.#worlds.get(id);
    if (!world) return;
    this.#worlds.delete(id);
    await this.#end(world, false);
  }

  /**
   * Gives the memory of worlds back that nobody has used for a while; what they were is on the disk.
   *
   * @param idle Milliseconds.
   * @returns how many were parked.
   */
  async park(idle: number): Promise<number> {
    const now = this.#options.clock().getTime();
    let parked = 0;
    for (const world of this.#worlds.values()) {
      const { last } = world.session.events;
      if (world.seen !== last) {
        world.seen = last;
        world.since = now;
      }
      if (now - world.since >= idle && await world.session.park()) parked++;
    }
    return parked;
  }

  /** Closes the sessions of all worlds; their event streams then end. */
  close(): Promise<void> {
    const remove = !this.#options.areKept;
    return this.#closing ??= Promise.all([...this.#worlds.values()].map((world) => this.#end(world, remove)))
      .then(() => {});
  }

  async #end(world: Entry, remove: boolean): Promise<void> {
    await world.session.close();
    world.end.abort();
    if (remove) await world.remove();
  }

  #checkOpen(action: string): void {
    if (this.#closing) throw conflict("session_closed", `Cannot ${action}: the server is shutting down`);
  }

  #find(id: string): Entry {
    const known = id.toLowerCase();
    const world = known === FIRST ? this.#first : this.#worlds.get(known);
    if (world) return world;
    const message = "Cannot find this world: the server has none with this id, GET /v1/worlds for those it has";
    throw notFound("world_not_found", message);
  }

  #head(id: string, { name, pool }: WorldRequest): WorldHead {
    return {
      id,
      backend: this.#first.session.backend,
      created_at: this.#options.clock().toISOString(),
      ...(name !== undefined && { name }),
      ...(pool !== undefined && { pool }),
    };
  }

  #record(world: Entry): WorldRecord {
    const { id, head: { name, pool, created_at }, session } = world;
    const { continuity } = session;
    return {
      object: "world",
      worldId: id,
      ...(name !== undefined && { name }),
      ...(pool !== undefined && { pool }),
      createdAt: created_at,
      backend: session.backend,
      phase: session.phase,
      ...(session.isParked && { parked: true }),
      ...(continuity && { continuity }),
      default: world === this.#first,
      path: `/worlds/${id}/`,
    };
  }
}

function entryOf(opened: OpenedWorld): Entry {
  const end = new AbortController();
  const { session, head, answers } = opened;
  return {
    id: head.id,
    head,
    session,
    answers,
    remove: () => opened.remove(),
    ended: end.signal,
    end,
    seen: -1,
    since: 0,
  };
}
