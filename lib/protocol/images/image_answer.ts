/**
 * Answers and events of image requests, as OpenAI's clients read them.
 *
 * @module
 */
import { base64Of } from "../speech_events.ts";
import type { ImagePixels } from "./image_fields.ts";

/** An image, or a preview of one. */
export interface GeneratedImage {
  /** A PNG file. */
  readonly png: Uint8Array;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** What repeats the image on the same device, in decimal: seeds have 64 bits. */
  readonly seed: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Of previews, from 0 on; the image itself has none. */
  readonly preview?: number;
}

/** The answer of both routes. */
export interface ImageAnswer {
  /** Seconds since 1970. */
  readonly created: number;
  readonly data: readonly ({
    readonly revised_prompt: string;
  } & ({ readonly b64_json: string } | { readonly url: string }))[];
  /** Width and height of the image. */
  readonly size: string;
  readonly output_format: "png";
  /** What repeats the image on the same device, in decimal. */
  readonly seed: string;
}

/** The route that an event is of. */
export type ImageRoute = "image_generation" | "image_edit";

/** An event of a stream. */
interface ImageEvent {
  readonly type: `${ImageRoute}.${"partial_image" | "completed"}`;
  readonly b64_json: string;
  readonly created_at: number;
  readonly size: string;
  readonly quality: "auto";
  readonly background: "opaque";
  readonly output_format: "png";
  /** Of previews, from 0 on. */
  readonly partial_image_index?: number;
  /** Of the last event. */
  readonly seed?: string;
}

/** A size as requests write it. */
export function sizeText({ width, height }: ImagePixels): string {
  return `${width}x${height}`;
}

/**
 * The answer for an image.
 *
 * @param url Where the image is kept; without one the answer carries it.
 */
export function imageAnswer(image: GeneratedImage, prompt: string, url: string | undefined): ImageAnswer {
  const carried = url === undefined ? { b64_json: base64Of(image.png) } : { url };
  return {
    created: image.created,
    data: [{ ...carried, revised_prompt: prompt }],
    size: sizeText(image),
    output_format: "png",
    seed: image.seed,
  };
}

/** An image or a preview as a frame of server-sent events. */
export function imageFrame(route: ImageRoute, image: GeneratedImage): string {
  const { png, created, seed, preview } = image;
  const event: ImageEvent = {
    type: `${route}.${preview === undefined ? "completed" : "partial_image"}`,
    b64_json: base64Of(png),
    created_at: created,
    size: sizeText(image),
    quality: "auto",
    background: "opaque",
    output_format: "png",
    ...preview === undefined ? { seed } : { partial_image_index: preview },
  };
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The steps after which a preview is sent, spread evenly; the last step's image is the answer itself. */
export function previewSteps(previews: number, steps: number): ReadonlySet<number> {
  const possible = Math.max(0, Math.min(previews, steps - 1));
  return new Set(Array.from({ length: possible }, (_, i) => Math.round((i + 1) * steps / (possible + 1))));
}
