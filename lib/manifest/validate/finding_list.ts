/**
 * Collects findings up to a limit.
 *
 * @module
 */
import type { Finding, FindingOptions } from "./finding.ts";

const NOTHING: readonly Finding[] = [];
const DEFAULT_MAX_FINDINGS = 1000;
/** On average; a hostile document could otherwise turn one long name into gigabytes of pointers. */
const POINTER_LENGTH = 4096;

/** The first findings, and the number of further ones. */
export class FindingList {
  findings: Finding[] = [];
  omitted = 0;
  readonly #max: number;
  #length = 0;

  /** @throws {RangeError} when `maxFindings` is not a count */
  constructor({ maxFindings = DEFAULT_MAX_FINDINGS }: FindingOptions = {}) {
    if (!(maxFindings >= 0)) {
      throw new RangeError(`Cannot keep findings: maxFindings is ${maxFindings}, expected a number of at least 0`);
    }
    this.#max = maxFindings;
  }

  /** How many more findings can be kept. */
  get room(): number {
    return this.#length < this.#max * POINTER_LENGTH ? Math.max(0, this.#max - this.findings.length) : 0;
  }

  /** Keeps a finding or counts it. */
  add(finding: Finding): void {
    if (this.room <= 0) {
      this.omitted++;
      return;
    }
    this.#length += finding.pointer.length;
    this.findings.push(finding);
  }

  /** Keeps or counts several that belong before those from index `at` on. */
  insert(at: number, added: readonly Finding[]): void {
    const moved = at < this.findings.length ? this.findings.splice(at) : NOTHING;
    const room = Math.max(0, this.room - moved.length);
    const kept = Math.min(added.length, room);
    for (let i = 0; i < kept; i++) this.add(added[i]);
    this.omitted += added.length - kept;
    for (const finding of moved) this.findings.push(finding);
  }
}
