/**
 * The numbers of files in a state directory.
 *
 * @module
 */

/** Names of everything that one operation may write. */
export interface ArtifactNames {
  readonly output: string;
  readonly chunks: string;
  readonly frame: string;
  readonly source: string;
  /** Name of a chunk file, counted from 0. */
  chunk(block: number): string;
}

/** Names with four digits at least: `rollout-0001.mp4`, `rollout-0001.chunks/chunk-0001.mp4`, `state-0001.png`. */
export function artifactNames(number: number): ArtifactNames {
  const n = digits(number);
  return {
    output: `rollout-${n}.mp4`,
    chunks: `rollout-${n}.chunks`,
    frame: `state-${n}.png`,
    source: `source-${n}.png`,
    chunk: (block) => `rollout-${n}.chunks/chunk-${digits(block + 1)}.mp4`,
  };
}

/** One counter for all kinds of artifact: a number is given once, and never while any file carries it. */
export class ArtifactNumbers {
  #last = 0;
  readonly #list: () => Promise<readonly string[]>;

  /** @param list Names in the state directory. */
  constructor(list: () => Promise<readonly string[]>) {
    this.#list = list;
  }

  /** The next number that no artifact has. */
  async next(): Promise<number> {
    const taken = new Set<number>();
    for (const name of await this.#list()) {
      const match = /^(?:transition|rollout|state|source)-(\d{4,15})\./.exec(name);
      if (match) taken.add(Number(match[1]));
    }
    do this.#last++; while (taken.has(this.#last));
    return this.#last;
  }
}

function digits(number: number): string {
  return String(number).padStart(4, "0");
}
