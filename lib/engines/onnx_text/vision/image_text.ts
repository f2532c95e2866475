/**
 * The text of an image in a prompt.
 *
 * @module
 */
import type { VisionLayout } from "./vision_layout.ts";

/** Sizes of a placed image. */
export interface ImageGrid {
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
