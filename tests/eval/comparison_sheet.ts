/**
 * Contact sheets that show the truth above what was generated.
 *
 * @module
 */
import { contactSheet } from "../../lib/media/images/contact_sheet.ts";
import { frameAt, type RgbFrames, type RgbImage } from "../../lib/media/images/rgb_image.ts";

/** Two films of the same walk. */
export interface FramePair {
  readonly truth: RgbFrames;
  readonly generated: RgbFrames;
}

/** Two rows of pictures for each pair, at these frames. */
export function comparisonSheet(pairs: readonly FramePair[], frames: readonly number[]): RgbImage {
  const pictures = pairs.flatMap(({ truth, generated }) =>
    [truth, generated].flatMap((film) => frames.map((frame) => frameAt(film, frame)))
  );
  return contactSheet(pictures, { columns: frames.length, gap: 2, scale: 2 });
}
