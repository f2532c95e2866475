import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";
import { byId } from "../ui/dom.ts";
import { readNumber } from "../ui/number_field.ts";

/** The fields of a move besides the camera. */
export type SceneValues = Pick<TransitionRequestBody, "prompt" | "seed" | "steps" | "guidance_scale">;

/** The fields that apply to every move: prompt and generation settings. */
export class SceneFields {
  readonly #prompt = byId("prompt", HTMLTextAreaElement);
  readonly #seed = byId("seed", HTMLInputElement);

  /** Fills in the prompt of the model's start picture; returns whether there is one. */
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
   * The entered values; empty fields are left to the server.
   *
   * @throws {Error} when a field is invalid
   */
  read(): SceneValues {
    const prompt = this.#prompt.value.trim();
    const seed = this.#seed.value.trim();
    if (prompt === "") {
      throw new Error("Cannot walk: the description of the world is empty, fill it in under More");
    }
    if (!/^\d*$/.test(seed)) throw new Error(`Cannot walk: the seed is ${seed}, expected a whole number or nothing`);
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
