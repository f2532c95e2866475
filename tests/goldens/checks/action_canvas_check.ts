/**
 * Check of pictures on their canvases.
 *
 * @module
 */
import { paintCanvas, trainedCanvas } from "../../../lib/models/actionworld/canvas.ts";
import type { Golden } from "../golden.ts";

/** Exact where nothing is resized, else within what two bicubic filters differ by. */
export function checkActionCanvas(golden: Golden): void {
  const side = golden.number("tier");
  for (let i = 0; i < golden.number("n"); i++) {
    const source = golden.stored(`${i}`);
    const image = { width: source.shape[1], height: source.shape[0], data: source.data as Uint8Array };
    const canvas = trainedCanvas(image, side);
    const { planes, content } = paintCanvas(image, canvas);
    golden.compare(`${i}.sizes`, [canvas.height, canvas.width, content.height, content.width], 0);
    const at = (c: number, y: number, x: number) => planes[(c * canvas.height + y) * canvas.width + x];
    const corner = (name: string, top: number, left: number) => {
      const [channels, height, width] = golden.shapeOf(name);
      const ours = new Float32Array(channels * height * width).map((_, k) =>
        at(Math.floor(k / (height * width)), top + Math.floor(k / width) % height, left + k % width)
      );
      golden.compare(name, ours, content.height === image.height && content.width === image.width ? 1e-6 : 3e-3);
    };
    const [, below, beside] = golden.shapeOf(`${i}.bottom_right`);
    corner(`${i}.top_left`, 0, 0);
    corner(`${i}.bottom_right`, canvas.height - below, canvas.width - beside);
    const mean = (count: number, value: (k: number) => number) =>
      Array.from({ length: count }, (_, k) => value(k)).reduce((a, b) => a + b, 0) / count;
    const rows = Array.from(
      { length: canvas.height },
      (_, y) => mean(3 * canvas.width, (k) => at(k % 3, y, Math.floor(k / 3))),
    );
    const columns = Array.from(
      { length: canvas.width },
      (_, x) => mean(3 * canvas.height, (k) => at(k % 3, Math.floor(k / 3), x)),
    );
    golden.compare(`${i}.row_mean`, rows, 3e-3);
    golden.compare(`${i}.col_mean`, columns, 3e-3);
  }
}
