/**
 * Programs that share a budget of memory: one of each kind, and no more at once than fit.
 *
 * @module
 */
import type { Program } from "../../compute/tensor/mod.ts";

interface Shelved {
  readonly key: string;
  readonly program: Program;
  readonly bytes: number;
}

/** Keeps the program of each kind that was used last, and releases those used longest ago when another needs room. */
export class ProgramShelf {
  /** Bytes of all programs together; what is kept shrinks to it when a program is asked for. */
  limit: number;
  readonly #programs = new Map<string, Shelved>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes of the programs that are kept. */
  get bytes(): number {
    return [...this.#programs.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whether a program of this kind fits beside all others that are kept. */
  fits(kind: string, bytes: number): boolean {
    return this.bytes - (this.#programs.get(kind)?.bytes ?? 0) + bytes <= this.limit;
  }

  /**
   * The program of a kind under this key. It stays usable until the next call.
   *
   * @param bytes What it takes once it is compiled, and while it is.
   */
  async get(
    kind: string,
    key: string,
    bytes: { readonly kept: number; readonly compiling: number },
    compile: () => Promise<Program>,
  ): Promise<Program> {
    const known = this.#programs.get(kind);
    if (known) {
      this.#programs.delete(kind);
      if (known.key === key) {
        this.#programs.set(kind, known);
        return known.program;
      }
      known.program.dispose();
    }
    for (const [oldest, { program }] of this.#programs) {
      if (this.bytes + Math.max(bytes.kept, bytes.compiling) <= this.limit) break;
      program.dispose();
      this.#programs.delete(oldest);
    }
    const program = await compile();
    this.#programs.set(kind, { key, program, bytes: bytes.kept });
    return program;
  }

  /** Releases all programs. */
  dispose(): void {
    for (const { program } of this.#programs.values()) program.dispose();
    this.#programs.clear();
  }
}
