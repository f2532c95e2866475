/**
 * Encodes an image as the known first frame of a clip.
 *
 * @module
 */
import type { RgbImage } from "../../media/images/rgb_image.ts";
import type { ImageEncoder } from "../video_vae/image_encoder.ts";
import type { Geometry } from "../world/world_model.ts";
import { paintCanvas } from "./canvas.ts";

/** Side of a latent pixel, in pixels. */
const PIXELS = 16;

/**
 * The normalized latents [z,h,w] of an image; `encoder` is one for the canvas. The encoder sees the padding of the
 * canvas, which is then cropped.
 * One frame is enough: the encoder is causal, so that its first latent is the same whatever follows.
 */
export async function encodePicture(encoder: ImageEncoder, image: RgbImage, canvas: Geometry): Promise<Float32Array> {
  const { planes, content } = paintCanvas(image, canvas);
  const latents = await encoder.encodePlanes(planes);
  const [columns, rows] = [canvas.width / PIXELS, canvas.height / PIXELS];
  const [width, height] = [Math.floor(content.width / PIXELS), Math.floor(content.height / PIXELS)];
  const channels = latents.length / (rows * columns);
  const cropped = new Float32Array(channels * height * width);
  for (let row = 0; row < channels * height; row++) {
    const from = (Math.floor(row / height) * rows + row % height) * columns;
    cropped.set(latents.subarray(from, from + width), row * width);
  }
  return cropped;
}
