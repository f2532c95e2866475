/**
 * Convolutions of the decoder of a 5B world, and operators that only move memory.
 *
 * @module
 */
import {
  add,
  concat,
  conv2d,
  conv3d,
  f32,
  layerNorm,
  rmsNorm,
  silu,
  sizeOf,
  toFloat32,
  transpose,
  upsample,
} from "../../../lib/compute/tensor/mod.ts";
import { halves, numbers } from "./numbers.ts";
import { SMALL } from "./part.ts";
import { length, made, shapes, type SpeedCase, type SpeedShape } from "./speed_case.ts";

/** Convolutions of 3x3x3 over frames that follow two earlier ones. */
export function convolutions(names?: RegExp): Iterable<SpeedCase> {
  return made(shapes.conv3d, names, (shape) => {
    const [t, c, o, y, x] = imageShape(shape);
    const inputs = { past: halves([2, c, y, x], 1, 5), frames: halves([t, c, y, x], 1, 6) };
    const [weight, bias] = [halves([o, c, 3, 3, 3], 1.7 / Math.sqrt(27 * c), 7), halves([o], 0.1, 8)];
    const [past, frames, w, b] = [inputs.past, inputs.frames, weight, bias].map(toFloat32);
    const plane = c * y * x;
    const pixel = (frame: number, at: number) =>
      frame < 2 ? past[frame * plane + at] : frames[(frame - 2) * plane + at];
    return {
      ...{ id: shape.id, group: "conv3d", flops: 54 * c * o * t * y * x, inputs, size: t * o * y * x },
      floats: (t + 2) * plane + 27 * c * o + t * o * y * x,
      build: (graph, i) =>
        conv3d(concat([i.past, i.frames], 0), graph.constant(weight), graph.constant(bias), { pad: [1, 1, 1, 1] }),
      element: (index) => {
        const [column, row] = [index % x, Math.floor(index / x) % y];
        const [out, time] = [Math.floor(index / x / y) % o, Math.floor(index / x / y / o)];
        let sum = b[out];
        for (let tap = 0; tap < 27 * c; tap++) {
          const [dx, dy, dt, channel] = [
            tap % 3,
            Math.floor(tap / 3) % 3,
            Math.floor(tap / 9) % 3,
            Math.floor(tap / 27),
          ];
          const [r, q] = [row + dy - 1, column + dx - 1];
          if (r < 0 || q < 0 || r >= y || q >= x) continue;
          sum += pixel(time + dt, (channel * y + r) * x + q) * w[out * c * 27 + tap];
        }
        return sum;
      },
    };
  });
}

/** Convolutions of 3x3 over images that are enlarged first, counted as if over the large ones. */
export function enlargedConvolutions(): Iterable<SpeedCase> {
  return made(shapes.enlarged, undefined, (shape) => {
    const [t, c, o, y, x] = imageShape(shape);
    const weight = halves([o, c, 3, 3], 1.7 / Math.sqrt(9 * c), 7);
    return {
      ...{ id: shape.id, group: "conv2d, enlarged", flops: 72 * c * o * t * y * x, size: 4 * t * o * y * x },
      floats: t * c * y * x + 9 * c * o + 4 * t * o * y * x,
      inputs: { frames: halves([t, c, y, x], 1, 6) },
      build: (graph, i) => conv2d(upsample(i.frames, 2), graph.constant(weight), undefined, { pad: [1, 1, 1, 1] }),
    };
  });
}

/** Norms, a sum and a transposition. */
export function movers(): Iterable<SpeedCase> {
  return made(shapes.memory, undefined, ({ id, kind, shape: full }) => {
    const shape = SMALL ? full.map((n) => length(n, 4)) : full;
    const x = halves(shape, 1, 3);
    const gamma = f32([shape[1]], numbers(shape[1], 1, 9));
    return {
      ...{ id, group: "memory", flops: 0, floats: sizeOf(shape) * (kind === "add" ? 3 : 2), size: sizeOf(shape) },
      inputs: kind === "add" ? { x, z: halves(shape, 1, 4) } : { x },
      build: (graph, i) => {
        if (kind === "rmsSilu") return silu(rmsNorm(i.x, graph.constant(gamma), { axis: 1, eps: 1e-24 }));
        if (kind === "layerNorm") return layerNorm(i.x);
        return kind === "add" ? add(i.x, i.z) : transpose(i.x, [0, 2, 1]);
      },
    };
  });
}

function imageShape({ t, c, o, y, x }: SpeedShape): [number, number, number, number, number] {
  return [t, length(c, 16), length(o, 16), length(y, 5), length(x, 8)];
}
