/**
 * Compiled programs that are kept for a while.
 *
 * @module
 */
import type { Program } from "../../compute/tensor/mod.ts";

/** Keeps the programs that were used last; the others are released. */
export class ProgramCache {
  readonly #capacity: number;
  readonly #programs = new Map<string, Promise<Program>>();

  /** Keeps at most `capacity` programs. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The program under this key, which stays usable until `capacity` others have been asked for. */
  get(key: string, compile: () => Promise<Program>): Promise<Program> {
    const program = this.#programs.get(key) ?? this.#compile(key, compile);
    this.#programs.delete(key);
    this.#programs.set(key, program);
    const [oldest] = this.#programs.keys();
    if (this.#programs.size > this.#capacity) {
      release(this.#programs.get(oldest)!);
      this.#programs.delete(oldest);
    }
    return program;
  }

  /** Whether the program under this key is kept. */
  has(key: string): boolean {
    return this.#programs.has(key);
  }

  /** Releases all programs. */
  dispose(): void {
    for (const program of this.#programs.values()) release(program);
    this.#programs.clear();
  }

  #compile(key: string, compile: () => Promise<Program>): Promise<Program> {
    const program = compile();
    // A failed compilation is retried next time.
    program.catch(() => {
      if (this.#programs.get(key) === program) this.#programs.delete(key);
    });
    return program;
  }
}

function release(program: Promise<Program>): void {
  void program.then((p) => p.dispose(), () => {});
}
