/**
 * Sine positions that Depth Anything 3's head adds to its maps.
 *
 * @module
 */
import { add, f32, type Value } from "../../compute/tensor/mod.ts";
import { planeCoordinates } from "../images/plane_coordinates.ts";
import type { ImageSize } from "../images/resample.ts";

const BASE = 100;
const WEIGHT = 0.1;

/**
 * Adds a tenth of the sines and cosines of plane coordinates: the first half of the channels encodes columns, the
 * second rows, each half sines before cosines.
 *
 * Shapes: map [N,C,H,W] with C a multiple of 4 -> same.
 */
export function addPlanePosition(map: Value, image: ImageSize): Value {
  const [, channels, height, width] = map.shape;
  const { x, y } = planeCoordinates({ width, height }, image.width / image.height);
  const columns = f32([channels, 1, width], waves(x, channels, 0));
  const rows = f32([channels, height, 1], waves(y, channels, channels / 2));
  return add(add(map, map.graph.constant(columns)), map.graph.constant(rows));
}

/** [channels,places] with waves in half of the channels from `first` on and zeros in the others. */
function waves(places: Float64Array, channels: number, first: number): Float32Array {
  const count = channels / 4;
  const out = new Float32Array(channels * places.length);
  for (let i = 0; i < count; i++) {
    const frequency = 1 / BASE ** (i / count);
    places.forEach((place, p) => {
      out[(first + i) * places.length + p] = WEIGHT * Math.sin(place * frequency);
      out[(first + count + i) * places.length + p] = WEIGHT * Math.cos(place * frequency);
    });
  }
  return out;
}
