import { setImmediate } from "node:timers";
import type { ClusterClock } from "../../../fleet/protocol/broker.ts";

interface Timer {
  readonly at: number;
  readonly number: number;
  readonly fire: () => void;
}

/** Time that passes as fast as the work in it: the next timer fires when nothing else is left to do. */
export class VirtualClock implements ClusterClock {
  #now = 0;
  #count = 0;
  readonly #heap: Timer[] = [];

  now(): number {
    return this.#now;
  }

  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        signal?.removeEventListener("abort", end);
        resolve();
      };
      signal?.addEventListener("abort", end, { once: true });
      this.at(this.#now + Math.max(0, milliseconds), end);
    });
  }

  /** Calls `fire` at a time. */
  at(at: number, fire: () => void): void {
    const timer = { at, number: this.#count++, fire };
    const heap = this.#heap;
    let i = heap.push(timer) - 1;
    for (let up = (i - 1) >> 1; i > 0 && before(timer, heap[up]); up = (i - 1) >> 1) {
      heap[i] = heap[up];
      i = up;
    }
    heap[i] = timer;
  }

  /** Lets time pass until some work is done, at most up to a time; throws what it throws. */
  async play(work: () => Promise<void>, until: number): Promise<void> {
    let failed: unknown;
    let isDone = false;
    void work().catch((error) => failed = error).finally(() => isDone = true);
    const isOver = await this.run(() => isDone, until);
    if (failed) throw failed;
    if (!isOver) throw new Error(`It is not done after ${until} ms`);
  }

  /** Lets time pass until `isDone`, or up to a time; returns whether it is done. */
  async run(isDone: () => boolean, until: number): Promise<boolean> {
    while (true) {
      await new Promise<void>((resolve) => setImmediate(() => resolve()));
      if (isDone()) return true;
      const next = this.#heap[0];
      if (!next || next.at > until) return false;
      this.#now = next.at;
      while (this.#heap[0]?.at === next.at) this.#pop().fire();
    }
  }

  #pop(): Timer {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let i = 0;
    while (true) {
      let down = 2 * i + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && before(heap[down + 1], heap[down])) down++;
      if (!before(heap[down], last)) break;
      heap[i] = heap[down];
      i = down;
    }
    heap[i] = last;
    return first;
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.at < b.at || a.at === b.at && a.number < b.number;
}

/** Random numbers from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
