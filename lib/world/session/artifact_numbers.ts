/**
 * The numbers of files in a state directory.
 *
 * @module
 */
import type { MoveKind } from "../protocol/requests/move_request.ts";

/** What an operation makes files of. */
export type ArtifactKind = MoveKind | "source" | "checkpoint" | "walk";

/** All kinds of operations that make files. */
export const artifactKinds: readonly ArtifactKind[] = ["transition", "rollout", "source", "checkpoint", "walk"];

/** Names of everything that one operation may write. */
export interface ArtifactNames {
  readonly source: string;
  readonly frame: string;
  readonly checkpoint: string;
  /** The video of a whole walk. */
  readonly walk: string;
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
    walk: `walk-${n}.mp4`,
    output: (kind) => `${kind}-${n}.mp4`,
    chunks: (kind) => `${kind}-${n}.chunks`,
    chunk: (kind, block) => `${kind}-${n}.chunks/chunk-${digits(block + 1)}.mp4`,
    kept: `transition-${n}.frames`,
    keptBlock: (block) => `transition-${n}.frames/block-${digits(block + 1)}.rgb`,
  };
}

/** Names of all files and folders that an operation may leave directly in the state directory. */
export function artifactEntries(kind: ArtifactKind, number: number): string[] {
  const names = artifactNames(number);
  if (kind === "transition") return [names.output(kind), names.chunks(kind), names.kept, names.frame];
  if (kind === "rollout") return [names.output(kind), names.chunks(kind), names.frame];
  return [names[kind]];
}

/** Whether a file or folder in a state directory is useful only to the session that created it. */
export function endsWithSession(name: string): boolean {
  return /^(?:transition-\d{4,15}\.frames|checkpoint-\d{4,15}\.png|walk-\d{4,15}\.mp4)$/.test(name);
}

/** A name of an artifact, and its number. */
const ARTIFACT = /^(?:transition|rollout|state|source|checkpoint|walk)-(\d{4,15})\./;

/** Whether a file or folder directly in a state directory belongs to an operation. */
export function isArtifact(name: string): boolean {
  return ARTIFACT.test(name);
}

/** One counter for all kinds of artifact: a number is never reused, nor given while any file carries it. */
export class ArtifactNumbers {
  #last: number;
  readonly #list: () => Promise<readonly string[]>;

  /**
   * @param list Names in the state directory.
   * @param last The last number that an earlier process has given.
   */
  constructor(list: () => Promise<readonly string[]>, last = 0) {
    this.#last = last;
    this.#list = list;
  }

  /** The last number that was given. */
  get last(): number {
    return this.#last;
  }

  /** The next unused number. */
  async next(): Promise<number> {
    const taken = new Set(numbersOf(await this.#list()));
    do this.#last++; while (taken.has(this.#last));
    return this.#last;
  }
}

/** The numbers of artifacts among names. */
export function numbersOf(names: readonly string[]): number[] {
  return names.flatMap((name) => ARTIFACT.exec(name)?.slice(1) ?? []).map(Number);
}

function digits(number: number): string {
  return String(number).padStart(4, "0");
}
