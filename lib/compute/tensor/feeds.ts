/**
 * Checks the inputs of a program before it runs.
 *
 * @module
 */
import type { DeviceTensor, ValueSpec } from "./device.ts";
import { formatShape, sameShape, ShapeError } from "./shape.ts";
import type { Tensor } from "./tensor.ts";

/**
 * Throws unless the feeds are exactly the inputs, each of its shape and type.
 *
 * @throws {ShapeError} that names the input that is missing, unknown or does not fit.
 */
export function checkFeeds(
  inputs: ReadonlyMap<string, ValueSpec>,
  feeds: Readonly<Record<string, Tensor | DeviceTensor>>,
): void {
  for (const name of Object.keys(feeds)) {
    if (!inputs.has(name)) {
      throw new ShapeError(
        `Cannot run program: input "${name}" is unknown, inputs are ${[...inputs.keys()].join(", ")}`,
      );
    }
  }
  for (const [name, spec] of inputs) {
    const feed = feeds[name];
    if (!feed) {
      throw new ShapeError(
        `Cannot run program: input "${name}" is missing, expected ${spec.type} ${formatShape(spec.shape)}`,
      );
    }
    const type = "dtype" in feed ? (feed.dtype === "i32" ? "int" : "float") : feed.type;
    if (type !== spec.type || !sameShape(feed.shape, spec.shape)) {
      throw new ShapeError(
        `Cannot run program: input "${name}" is ${type} ${formatShape(feed.shape)}, ` +
          `expected ${spec.type} ${formatShape(spec.shape)}`,
      );
    }
  }
}
