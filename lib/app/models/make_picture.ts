/**
 * Pictures for programs that have no server.
 *
 * @module
 */
import { imageModelBytes, imageWorkBytes, makeImage } from "../../engines/image/image_operations.ts";
import { unknownWords } from "../../engines/image/unknown_words.ts";
import { withImageModel } from "./embedded_models.ts";
import type { Log } from "../../platform/processes/log.ts";
import { spawnEngine } from "./engine/spawn_engine.ts";
import { openModelStore } from "../../store/model_store.ts";
import { modelKinds } from "../../engines/table/model_kinds.ts";
import { SvcError } from "../../errors/svc_error.ts";
import type { InstalledModel } from "../../store/catalog/installed_model.ts";

/** What to make. */
export interface PictureRequest {
  readonly prompt: string;
  /** Multiples of 16. */
  readonly width: number;
  readonly height: number;
  readonly seed: bigint;
  /** Id of an installed image model; the best one by default, else the embedded one. */
  readonly model?: string | undefined;
  /** Such as `cpu`; the best available by default. */
  readonly device?: string | undefined;
  readonly adapter?: string | undefined;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with which words of the prompt the model has no use for, a sentence. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Called with the share that is done, from 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

const quiet: Log = () => {};

/**
 * Makes a picture in a process of its own, which ends with it, and returns the PNG.
 *
 * @throws {SvcError} `model_not_found`, `context_length_exceeded` for a prompt that is too long, and what the engine says.
 */
export async function makePicture(request: PictureRequest): Promise<Uint8Array> {
  const { prompt, width, height, seed, device, adapter, threads, signal = new AbortController().signal } = request;
  const { onProgress, onWarning } = request;
  const model = chooseImageModel(await withImageModel(openModelStore()), request.model);
  const { profile } = model;
  if (profile?.kind !== "image") throw new Error(`${model.id} makes no images`);
  const engine = await spawnEngine(model, {
    device,
    adapter,
    threads,
    context: 0,
    concurrency: 1,
    kvCacheMode: "default",
    lora: undefined,
    log: quiet,
  }, signal);
  try {
    if (engine.kind === "chat") throw new Error(`${model.id} makes no images`);
    for (const text of unknownWords(profile, prompt)) onWarning?.(text);
    const order = { prompt, width, height, seed: String(seed), steps: profile.steps, guidanceScale: profile.guidance };
    const input = { ...order, pictures: [], previews: [], text: { prompt, seed: String(seed), model: model.id } };
    const memoryBytes = imageModelBytes(profile) + imageWorkBytes(input, profile);
    const { png } = await engine.perform(makeImage, { ...input, memoryBytes }, { onProgress }, signal);
    return png;
  } finally {
    await engine.stop();
  }
}

function chooseImageModel(models: readonly InstalledModel[], id: string | undefined): InstalledModel {
  const suitable = models.filter(({ profile }) => profile?.kind === "image");
  const wanted = id === undefined ? modelKinds.image.defaults : [id];
  const found = wanted.map((name) => suitable.find((model) => model.id === name)).find((model) => model !== undefined);
  if (found) return found;
  if (id === undefined && suitable[0]) return suitable[0];
  const message = `Cannot make a picture: no image model ${JSON.stringify(id)} is installed, see svc model list`;
  throw new SvcError("model_not_found", message);
}
