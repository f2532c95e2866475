/**
 * The video of the walk.
 *
 * @module
 */
import { artifactNames } from "./artifacts.ts";
import type { PathState } from "./graph/session_state.ts";
import type { WalkedMove } from "./moves/walked_move.ts";
import type { WorldFiles, WorldMedia } from "./world_files.ts";
import { conflict, notFound } from "../../errors/svc_error.ts";

/** Largest video that is joined: all of it is in memory for a moment. */
const MAX_BYTES = 256 * 2 ** 20;

/** What the video of a walk is made with. */
export interface WalkVideoOptions {
  readonly files: WorldFiles;
  readonly media: WorldMedia;
  readonly nextNumber: () => Promise<number>;
}

/** A video, or one that is being made. */
interface Made {
  readonly stateId: string;
  readonly path: Promise<string>;
}

/**
 * Joins the videos of the moves of the active path into one file, which is kept until another path is asked for. Clients
 * that ask at the same time share the work.
 */
export class WalkVideo {
  readonly #options: WalkVideoOptions;
  #made: Made | undefined;

  constructor(options: WalkVideoOptions) {
    this.#options = options;
  }

  /**
   * File of the video of a path.
   *
   * @throws {SvcError} `media_not_found` before the first move or when a file of a move is gone, `media_expired`,
   * `walk_too_large`.
   */
  async of(path: readonly PathState[]): Promise<string> {
    const moves = path.flatMap(({ move }) => move ?? []);
    const last = path.at(-1);
    if (!last || moves.length === 0) {
      throw notFound("media_not_found", "Cannot find the video of the walk: there is no move yet, make one first");
    }
    const known = this.#made;
    if (known?.stateId === last.stateId && await this.#isThere(known)) return await known.path;
    if (this.#made !== known && this.#made?.stateId === last.stateId) return await this.#made.path;
    const made: Made = { stateId: last.stateId, path: this.#join(moves, known) };
    this.#made = made;
    made.path.catch(() => {
      if (this.#made === made) this.#made = undefined;
    });
    return await made.path;
  }

  async #isThere({ path }: Made): Promise<boolean> {
    const file = await path.then((name) => this.#options.files.open(name)).catch(() => undefined);
    return file !== undefined;
  }

  async #join(moves: readonly WalkedMove[], before: Made | undefined): Promise<string> {
    const { files, media, nextNumber } = this.#options;
    const old = await before?.path.catch(() => undefined); // one at a time
    const chunks: Uint8Array[] = [];
    const rates: number[] = [];
    const overlaps: number[] = [];
    let size = 0;
    for (const move of moves) {
      // Every move after the first begins with the frame that the one before ended with.
      if (chunks.length > 0) overlaps.push(chunks.length);
      for (const path of move.chunks) {
        const file = await files.open(path);
        if (!file) throw notFound("media_not_found", "Cannot join the walk: the video of one of its moves was removed");
        size += file.size;
        if (size > MAX_BYTES) throw tooLarge(moves.length);
        chunks.push(new Uint8Array(await new Response(file.stream(0, file.size - 1)).arrayBuffer()));
        rates.push(move.fps);
      }
    }
    const { bytes } = await media.joinChunks(chunks, { fps: rates, overlaps });
    const path = files.statePath(artifactNames(await nextNumber()).walk);
    await files.writeNew(path, bytes);
    if (old !== undefined) await files.remove(old);
    return path;
  }
}

function tooLarge(moves: number): Error {
  const message = `Cannot join the walk: the videos of its ${moves} moves have more than 256 MiB, ` +
    `fetch the videos of its jobs instead`;
  return conflict("walk_too_large", message);
}
