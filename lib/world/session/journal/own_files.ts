/**
 * Which files of a state directory a world has made: no others are ever removed or counted, whatever their names.
 *
 * @module
 */
import { artifactEntries, type ArtifactKind, numbersOf } from "../artifact_numbers.ts";

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
