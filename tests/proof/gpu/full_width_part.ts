/**
 * A layer and the decoder at the widths of DreamX-World-5B on the GPU, against what PyTorch gave for the same weights.
 *
 * @module
 */
import { decodedFrames, openReference, sampledBlocks } from "../full_width.ts";
import { openGpu } from "./open_gpu.ts";
import { log, runPart } from "./part.ts";

/** Largest difference as a share of the standard deviation; 16-bit weights and states differ by some thousandths. */
const TOLERANCE = { f32: 1e-3, f16: 5e-2 };

await runPart("full_width", async (results) => {
  const reference = await openReference();
  const wrong: string[] = [];
  for (const precision of ["f32", "f16"] as const) {
    for (const [name, prove] of Object.entries({ layer: sampledBlocks, decoder: decodedFrames })) {
      const opened = await openGpu({ precision });
      if (typeof opened === "string") {
        results.set(`${name}.${precision}`, { skipped: opened });
        continue;
      }
      const start = performance.now();
      const off = await prove(reference, opened.device);
      const row = {
        off,
        tolerance: TOLERANCE[precision],
        tiles: opened.tiles,
        seconds: (performance.now() - start) / 1000,
      };
      results.set(`${name}.${precision}`, row);
      log(`${name} ${precision} ${JSON.stringify(row)}`);
      if (!(off <= TOLERANCE[precision])) wrong.push(`the ${name} in ${precision} by ${off}`);
      opened.device.dispose();
    }
  }
  if (wrong.length > 0) throw new Error(`PyTorch differs: ${wrong.join(", ")}`);
});
