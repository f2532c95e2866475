/**
 * The numbers of files in a state directory.
 *
 * @module
 */
import type { MoveKind } from "../protocol/move_request.ts";

/** Names of everything that one operation may write. */
export interface ArtifactNames {
  readonly source: string;
  readonly frame: string;
  readonly checkpoint: string;
  output(kind: MoveKind): string;
  chunks(kind: MoveKind): string;
  /** Name of a chunk file, counted from 0. */
  chunk(kind: MoveKind, block: number): string;
  /** Folder of the raw frames for the replay of a transition. */
  readonly kept: string;
  keptBlock(block: number): string;
}

/** Names with at least four digits: `rollout-0001.mp4`, `rollout-0001.chunks/chunk-0001.mp4`, `state-0001.png`. */
export function artifactNames(number: number): ArtifactNames {
  const n = digits(number);
  return {
    source: `source-${n}.png`,
    frame: `state-${n}.png`,
    checkpoint: `checkpoint-${n}.png`,
    output: (kind) => `${kind}-${n}.mp4`,
    chunks: (kind) => `${kind}-${n}.chunks`,
    chunk: (kind, block) => `${kind}-${n}.chunks/chunk-${digits(block + 1)}.mp4`,
    kept: `transition-${n}.frames`,
    keptBlock: (block) => `transition-${n}.frames/block-${digits(block + 1)}.rgb`,
  };
}

/** Whether a file or folder in a state directory is useful only to the session that created it. */
export function endsWithSession(name: string): boolean {
  return /^(?:transition-\d{4,15}\.frames|checkpoint-\d{4,15}\.png)$/.test(name);
}

/** One counter for all kinds of artifact: a number is never reused, nor given while any file carries it. */
export class ArtifactNumbers {
  #last = 0;
  readonly #list: () => Promise<readonly string[]>;

  /** @param list Names in the state directory. */
  constructor(list: () => Promise<readonly string[]>) {
    this.#list = list;
  }

  /** The next unused number. */
  async next(): Promise<number> {
    const taken = new Set<number>();
    for (const name of await this.#list()) {
      const match = /^(?:transition|rollout|state|source|checkpoint)-(\d{4,15})\./.exec(name);
      if (match) taken.add(Number(match[1]));
    }
    do this.#last++; while (taken.has(this.#last));
    return this.#last;
  }
}

function digits(number: number): string {
  return String(number).padStart(4, "0");
}
