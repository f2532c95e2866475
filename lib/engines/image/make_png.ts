/**
 * From an order to the bytes of an image.
 *
 * @module
 */
import { aboutUpload } from "../../errors/svc_error.ts";
import { decodeImage } from "../../media/images/decode_image.ts";
import { encodePng } from "../../media/images/png.ts";
import { resizeImage } from "../../media/images/resize_image.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { coverImage } from "../../media/images/crop_image.ts";
import { readFile } from "../../platform/files/file_system.ts";
import type { ImagePipeline } from "../../models/image_pipeline/image_pipeline.ts";
import type { OperationCall } from "../contract/operation.ts";
import type { ImageModelProfile } from "../contract/model_profile.ts";
import type { ImageOrder, ImageOutcome, ImagePreview } from "./image_operations.ts";
import { nativeSize } from "./native_size.ts";

/** Shares of the work before and after denoising, for the progress. */
const BEFORE = 0.1;
const AFTER = 0.1;

/** Decodes an uploaded image. */
async function readImage(path: string): Promise<RgbImage> {
  try {
    return await decodeImage(new Uint8Array(await readFile(path)));
  } catch (error) {
    throw aboutUpload(error, "image");
  }
}

/** Makes an image and the previews that the order names. */
export async function makePng(
  pipeline: ImagePipeline,
  { native }: ImageModelProfile,
  order: ImageOrder,
  call: OperationCall<ImagePreview>,
): Promise<ImageOutcome> {
  const began = performance.now();
  const { width, height, strength, text } = order;
  const size = nativeSize(order, native);
  const fit = (image: RgbImage): RgbImage => native ? coverImage(image, size, "lanczos") : image;
  const png = async (image: RgbImage): Promise<Uint8Array> =>
    await encodePng(resizeImage(image, width, height, "cubic"), { text });
  const pictures: RgbImage[] = [];
  for (const path of order.pictures) {
    call.signal.throwIfAborted();
    pictures.push(fit(await readImage(path)));
  }
  const [first, ...others] = pictures;
  const start = strength !== undefined && first ? { image: first, strength } : undefined;
  let taken = 0;
  call.progress(0, "reading the prompt");
  const image = await pipeline.generate({
    ...size,
    prompt: order.prompt,
    negativePrompt: order.negativePrompt,
    seed: BigInt(order.seed),
    steps: order.steps,
    guidanceScale: order.guidanceScale,
    references: start ? others : pictures,
    start,
  }, {
    signal: call.signal,
    memoryBytes: order.memoryBytes,
    onStage: (stage) => stage === "decoding" && call.progress(1 - AFTER, "decoding"),
    onStep: async ({ step, steps, preview }) => {
      taken = step;
      call.progress(BEFORE + (1 - BEFORE - AFTER) * step / steps, `step ${step} of ${steps}`);
      if (step === steps || !order.previews.includes(step)) return;
      const seen = await preview();
      if (seen) await call.send({ step, png: await png(seen) });
    },
  });
  return { png: await png(image), steps: taken, seconds: (performance.now() - began) / 1000 };
}
