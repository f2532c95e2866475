/**
 * A layer and the decoder at the widths of DreamX-World-5B on the GPU, against what PyTorch gave for the same weights.
 *
 * @module
 */
import { decodedFrames, openReference, sampledBlocks } from "../full_width.ts";
import { LayerCounter } from "../../goldens/half_tolerance.ts";
import { openGpu } from "./open_gpu.ts";
import { log, runPart } from "./part.ts";

/** Largest difference in 32 bits as a share of the standard deviation; 16 bits have the tolerance of the goldens. */
const TOLERANCE = 1e-3;

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
      const counter = new LayerCounter(opened.device);
      const { ofDeviation, ofLargest } = await prove(reference, counter);
      const [off, tolerance, of] = precision === "f32"
        ? [ofDeviation, TOLERANCE, "standard deviation"]
        : [ofLargest, counter.tolerance, "largest number"];
      const row = { off, tolerance, of, tiles: opened.tiles, seconds: (performance.now() - start) / 1000 };
      results.set(`${name}.${precision}`, row);
      log(`${name} ${precision} ${JSON.stringify(row)}`);
      if (!(off <= tolerance)) wrong.push(`the ${name} in ${precision} by ${off} of the ${of}`);
      opened.device.dispose();
    }
  }
  if (wrong.length > 0) throw new Error(`PyTorch differs: ${wrong.join(", ")}`);
});
