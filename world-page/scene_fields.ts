import type { WorldClient } from "../lib/http/world_client.ts";
import { byId } from "./dom.ts";

/** The fields that every move asks with: what the world looks like, and the seed. */
export class SceneFields {
  readonly #prompt = byId("prompt", HTMLTextAreaElement);
  readonly #seed = byId("seed", HTMLInputElement);

  /** Fills the prompt in with the words of the model's own start picture; returns whether the model has one. */
  async fillFrom(client: WorldClient): Promise<boolean> {
    try {
      const { prompt } = await client.start();
      if (this.#prompt.value.trim() === "") this.#prompt.value = prompt;
      return true;
    } catch {
      return false;
    }
  }

  /**
   * What the person wants.
   *
   * @throws {Error} in words when a field makes no sense
   */
  read(): { prompt: string; seed?: string } {
    const prompt = this.#prompt.value.trim();
    const seed = this.#seed.value.trim();
    if (prompt === "") {
      throw new Error("Cannot walk: nothing says what the world looks like, describe it under More");
    }
    if (!/^\d*$/.test(seed)) throw new Error(`Cannot walk with the seed ${seed}: expected a whole number, or nothing`);
    return { prompt, ...(seed !== "" && { seed }) };
  }
}
