/**
 * A field whose surface is closed at the border of its grid.
 *
 * @module
 */
import { type GridField, nodePlace } from "./grid_field.ts";

/** The field with one more layer of nodes around it, all of them outside with the value `outside`. */
export function closedField(field: GridField, outside: number): GridField {
  const nodes = field.nodes + 2;
  const { channels } = field;
  return {
    ...field,
    nodes,
    async evaluate(wanted) {
      const out = new Float32Array(wanted.length * channels);
      const inner: number[] = [];
      const places: number[] = [];
      wanted.forEach((node, i) => {
        const [x, y, z] = nodePlace(node, nodes).map((v) => v - 1);
        if ([x, y, z].some((v) => v < 0 || v >= field.nodes)) {
          out[i * channels] = outside;
          return;
        }
        inner.push((x * field.nodes + y) * field.nodes + z);
        places.push(i);
      });
      const values = inner.length > 0 ? await field.evaluate(Int32Array.from(inner)) : new Float32Array();
      places.forEach((i, n) => out.set(values.subarray(n * channels, (n + 1) * channels), i * channels));
      return out;
    },
  };
}

/** Extent of the grid with the layer around it. */
export function closedExtent(nodes: number, extent: number): number {
  return extent + 2 * extent / (nodes - 1);
}
