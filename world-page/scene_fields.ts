import type { WorldClient } from "../lib/world/client/world_client.ts";
import type { TransitionRequestBody } from "../lib/world/protocol/wire.ts";
import { byId } from "./dom.ts";
import { readNumber } from "./number_field.ts";

/** What every move asks for beside the camera. */
export type SceneWishes = Pick<TransitionRequestBody, "prompt" | "seed" | "steps" | "guidance_scale">;

/** The fields that every move asks with: what the world looks like, and how it is made. */
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
   * What the person wants; what is left empty is the server's choice.
   *
   * @throws {Error} in words when a field makes no sense
   */
  read(): SceneWishes {
    const prompt = this.#prompt.value.trim();
    const seed = this.#seed.value.trim();
    if (prompt === "") {
      throw new Error("Cannot walk: nothing says what the world looks like, describe it under More");
    }
    if (!/^\d*$/.test(seed)) throw new Error(`Cannot walk with the seed ${seed}: expected a whole number, or nothing`);
    const steps = readNumber("steps");
    const guidance = readNumber("guidance");
    return {
      prompt,
      ...(seed !== "" && { seed }),
      ...(steps !== undefined && { steps }),
      ...(guidance !== undefined && { guidance_scale: guidance }),
    };
  }
}
