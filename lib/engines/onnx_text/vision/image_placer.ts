/**
 * Turns images into tokens, with the text that represents them as in training.
 *
 * @module
 */
import type { PromptImage } from "../../contract/language_model.ts";
import type { VectorRows } from "../token_embedder.ts";
import { prepareImage } from "./prepare_image.ts";
import type { ImageVectors, VisionEncoder } from "./vision_encoder.ts";
import type { VisionLayout } from "./vision_layout.ts";

/** An image as part of a prompt. */
interface PlacedImage {
  /** Tokens, and negative ids for the vectors of the image. */
  readonly ids: readonly number[];
  readonly vectors: VectorRows;
}

/** Dependencies of an {@linkcode ImagePlacer}. */
interface ImagePlacerParts {
  readonly layout: VisionLayout;
  readonly encoder: Pick<VisionEncoder, "encode">;
  readonly encode: (text: string) => readonly number[];
  readonly textOf: (id: number) => string;
}

/** Maximum number of images cached for continued chats. */
const MAX_KEPT = 16;

/** Makes tokens of images. A cached image keeps its ids, so that cached prefixes with it stay valid. */
export class ImagePlacer {
  readonly #parts: ImagePlacerParts;
  /** Least recently used first. */
  readonly #kept = new Map<string, PlacedImage>();
  #nextId = -1;

  constructor(parts: ImagePlacerParts) {
    this.#parts = parts;
  }

  /**
   * @throws {SvcError} `invalid_image` if it is not an image.
   * @throws the reason of `signal` when it aborts, at the latest after the piece under way.
   */
  async place(image: PromptImage, signal: AbortSignal): Promise<PlacedImage> {
    const key = await keyOf(image);
    const placed = this.#kept.get(key) ?? await this.#encode(image, signal);
    this.#kept.delete(key);
    this.#kept.set(key, placed);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return placed;
  }

  /** Removes all cached images. */
  clear(): void {
    this.#kept.clear();
  }

  async #encode(image: PromptImage, signal: AbortSignal): Promise<PlacedImage> {
    const { layout, encoder } = this.#parts;
    const { rows, columns, pieces } = await prepareImage(image, layout.recipe);
    const found: ImageVectors[] = [];
    for (const piece of pieces) {
      signal.throwIfAborted();
      found.push(await encoder.encode(piece));
    }
    const [{ width, data }] = found;
    return this.#number({ rows, columns, vectors: data.length / width }, joined(found), width);
  }

  #number(grid: ImageGrid, rows: Float32Array, width: number): PlacedImage {
    const { layout, encode, textOf } = this.#parts;
    const firstId = this.#nextId;
    const ids = encode(imageText(layout, grid, textOf)).map((id) => id === layout.imageToken ? this.#nextId-- : id);
    const placed = firstId - this.#nextId;
    if (placed * width !== rows.length) {
      throw new Error(`Cannot place an image: its text has ${placed} marks, expected ${rows.length / width}`);
    }
    return { ids, vectors: { firstId, rows, width } };
  }
}

async function keyOf({ bytes, detail }: PromptImage): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return `${detail === "low"}:${digest}`;
}

function joined(parts: readonly ImageVectors[]): Float32Array {
  const all = new Float32Array(parts.reduce((total, { data }) => total + data.length, 0));
  let at = 0;
  for (const { data } of parts) {
    all.set(data, at);
    at += data.length;
  }
  return all;
}

/** Sizes of a placed image. */
interface ImageGrid {
  readonly rows: number;
  readonly columns: number;
  /** Vectors of each piece. */
  readonly vectors: number;
}

/**
 * The text that represents an image as in training, with an image token for every vector.
 *
 * @param textOf The text of a token.
 */
export function imageText(layout: VisionLayout, grid: ImageGrid, textOf: (id: number) => string): string {
  const { rows, columns, vectors } = grid;
  const seen = textOf(layout.imageToken).repeat(vectors);
  switch (layout.family) {
    case "plain":
      return seen;
    case "framed": {
      const end = layout.endToken === undefined ? "" : textOf(layout.endToken);
      return `\n\n${textOf(layout.markToken)}${seen}${end}\n\n`;
    }
    case "tiled": {
      const edge = "<fake_token_around_image>";
      const whole = `${edge}<global-img>${seen}${edge}`;
      if (rows === 0) return whole;
      const lines = Array.from({ length: rows }, (_, row) => {
        const line = Array.from({ length: columns }, (_, column) => `${edge}<row_${row + 1}_col_${column + 1}>${seen}`);
        return `${line.join("")}\n`;
      });
      return `${lines.join("")}\n${whole}`;
    }
  }
}
