/**
 * From a sentence to the picture that a world starts from.
 *
 * @module
 */
import { makePicture } from "../models/make_picture.ts";

/** Where nothing else is said: three to two, as the embedded worlds have it. */
const SIZE = { width: 768, height: 512 };

/** The seed of a world where nothing else is said. */
export const DEFAULT_SEED = 42;

/** How the picture is to be. */
export interface StartPicture {
  readonly seed: bigint;
  /** Of the world's frames; a multiple of 16. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Such as `cpu`; the best available by default. */
  readonly device?: string | undefined;
  readonly adapter?: string | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with which words of the prompt the model has no use for, a sentence. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Makes it with the best installed image model, else with the embedded one, on the CPU or a GPU. */
export async function startPicture(
  prompt: string,
  { width = SIZE.width, height = SIZE.height, ...how }: StartPicture,
): Promise<Uint8Array> {
  return await makePicture({ prompt, width, height, ...how });
}
