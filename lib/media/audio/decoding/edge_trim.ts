/**
 * Leaves out what an encoder has put before and after the sound.
 *
 * @module
 */
import type { AudioBlock } from "../audio_source.ts";

/** More than any encoder adds; a file that says otherwise is not believed. */
const MAX_EDGE_SECONDS = 1;

/** The edges that a container declares. */
interface TrimmedEdges {
  /** Samples before the sound have times before 0, and the decoder gives them out. */
  readonly lead: boolean;
  /** The times of the last packet say where the sound ends. */
  readonly tail: boolean;
}

/** Containers give such samples times before 0, and packets that are too long for the time they have. */
export class EdgeTrim {
  readonly #edges: TrimmedEdges;
  /** Times of the first packet and of the end of the last, in seconds. */
  #start: number | undefined;
  #end = -Infinity;
  /** Samples that are still to be left out; undefined before the first block. */
  #dropped: number | undefined;
  #given = 0;

  constructor(edges: TrimmedEdges) {
    this.#edges = edges;
  }

  /** Takes the times of a packet. */
  packet({ timestamp, duration }: { readonly timestamp: number; readonly duration: number }): void {
    this.#start ??= timestamp;
    this.#end = Math.max(this.#end, timestamp + duration);
  }

  /** The blocks without what comes before the sound. */
  blocks(blocks: readonly AudioBlock[]): AudioBlock[] {
    return blocks.flatMap((block) => {
      this.#dropped ??= Math.round(this.#leadSeconds() * block.sampleRate);
      const dropped = Math.min(this.#dropped, lengthOf(block));
      this.#dropped -= dropped;
      return this.#part(block, dropped, lengthOf(block));
    });
  }

  /** The last blocks, also without what comes after the sound. */
  lastBlocks(blocks: readonly AudioBlock[]): AudioBlock[] {
    const [first] = blocks;
    const before = this.#given;
    const kept = this.blocks(blocks);
    if (!this.#edges.tail || first === undefined || this.#start === undefined) return kept;
    const wanted = Math.round((this.#end - Math.max(this.#start, 0)) * first.sampleRate);
    let excess = this.#given - wanted;
    if (excess > MAX_EDGE_SECONDS * first.sampleRate) return kept;
    this.#given = before;
    return kept.reverse().flatMap((block) => {
      const cut = Math.min(Math.max(excess, 0), lengthOf(block));
      excess -= cut;
      return this.#part(block, 0, lengthOf(block) - cut);
    }).reverse();
  }

  #leadSeconds(): number {
    return this.#edges.lead ? Math.min(Math.max(-(this.#start ?? 0), 0), MAX_EDGE_SECONDS) : 0;
  }

  #part({ sampleRate, channels }: AudioBlock, from: number, to: number): AudioBlock[] {
    if (to <= from) return [];
    this.#given += to - from;
    return [{ sampleRate, channels: channels.map((channel) => channel.subarray(from, to)) }];
  }
}

function lengthOf({ channels: [first] }: AudioBlock): number {
  return first?.length ?? 0;
}
