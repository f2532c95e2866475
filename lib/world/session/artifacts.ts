/**
 * The files that operations leave in a state directory: their names and numbers, and which of them a world has made: no
 * others are ever removed or counted.
 *
 * @module
 */
import type { MoveKind } from "../protocol/requests/move_fields.ts";

/** What an operation makes files of. */
export type ArtifactKind = MoveKind | "source" | "checkpoint" | "walk";

/** All kinds of operations that make files. */
export const artifactKinds: readonly ArtifactKind[] = ["transition", "rollout", "source", "checkpoint", "walk"];

/** Names of everything that one operation may write. */
interface ArtifactNames {
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
function artifactEntries(kind: ArtifactKind, number: number): string[] {
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

/** Consecutive numbers of operations of one kind, as a journal has them: kind, first number, count. */
export type OwnRun = readonly [kind: ArtifactKind, first: number, count: number];

/** The operations of a world whose files may still be there, and the files that its states name. */
export class OwnFiles {
  readonly #kinds = new Map<number, ArtifactKind>();
  readonly #named: ReadonlySet<string>;

  /**
   * @param runs Operations that a journal names.
   * @param named Names directly in the state directory that states and jobs refer to.
   */
  constructor(runs: Iterable<OwnRun> = [], named: Iterable<string> = []) {
    this.#named = new Set(named);
    for (const [kind, first, count] of runs) {
      for (let number = first; number < first + count; number++) this.add(kind, number);
    }
  }

  /** An operation begins, whose files carry this number. */
  add(kind: ArtifactKind, number: number): void {
    this.#kinds.set(number, kind);
  }

  /** The last number of an operation; 0 when there was none. */
  get last(): number {
    let last = 0;
    for (const number of this.#kinds.keys()) last = Math.max(last, number);
    return last;
  }

  /** Whether a file or folder directly in the state directory was made by the world. */
  has(name: string): boolean {
    const [number] = numbersOf([name]);
    if (number === undefined) return false;
    const kind = this.#kinds.get(number);
    return this.#named.has(name) || kind !== undefined && artifactEntries(kind, number).includes(name);
  }

  /**
   * The operations as runs, in the order of their numbers.
   *
   * @param names Those in the state directory: only operations that have one of them, when given.
   */
  runs(names?: readonly string[]): OwnRun[] {
    const there = names && new Set(names);
    const runs: [ArtifactKind, number, number][] = [];
    for (const [number, kind] of [...this.#kinds].sort(([a], [b]) => a - b)) {
      if (there && !artifactEntries(kind, number).some((name) => there.has(name))) continue;
      const last = runs.at(-1);
      if (last && last[0] === kind && last[1] + last[2] === number) last[2]++;
      else runs.push([kind, number, 1]);
    }
    return runs;
  }
}

/**
 * The names directly in a state directory that a value refers to by paths, at any depth.
 *
 * @param root What the paths in the directory begin with.
 */
export function namesIn(value: unknown, root: string): Set<string> {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string" && next.startsWith(root)) names.add(next.slice(root.length).split(/[/\\]/)[0]);
    if (typeof next !== "object" || next === null || ArrayBuffer.isView(next) || seen.has(next)) continue;
    seen.add(next);
    rest.push(...Object.values(next));
  }
  return names;
}

function digits(number: number): string {
  return String(number).padStart(4, "0");
}
