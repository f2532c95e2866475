/**
 * A field whose surface is closed at the border of its grid.
 *
 * @module
 */
import { type GridField, nodePlace } from "./grid_field.ts";

/**
 * The field with one more layer of nodes around it, all of them outside: with the value of the nearest node of the field,
 * or `outside` where that one is inside. So nothing changes where there is nothing to close.
 */
export function closedField(field: GridField, outside: number): GridField {
  const nodes = field.nodes + 2;
  const { channels, level } = field;
  const last = field.nodes - 1;
  return {
    ...field,
    nodes,
    async evaluate(wanted) {
      const inner = Int32Array.from(wanted, (node) => {
        const [x, y, z] = nodePlace(node, nodes).map((v) => Math.min(Math.max(v - 1, 0), last));
        return (x * field.nodes + y) * field.nodes + z;
      });
      const values = (await field.evaluate(inner)).slice();
      wanted.forEach((node, i) => {
        const beyond = nodePlace(node, nodes).some((v) => v === 0 || v === nodes - 1);
        if (beyond && !(values[i * channels] <= level)) values[i * channels] = outside;
      });
      return values;
    },
  };
}

/** Extent of the grid with the layer around it. */
export function closedExtent(nodes: number, extent: number): number {
  return extent + 2 * extent / (nodes - 1);
}
