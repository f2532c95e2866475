/**
 * Numbers at the nodes of a grid, and fields whose surface is closed at its border.
 *
 * @module
 */

/** A field over nodes^3 places, numbered [x,y,z]; what lies above the level is inside. */
export interface GridField {
  /** Nodes on a side, 2 or more. */
  readonly nodes: number;
  /** Numbers of a node: its value, and how far it is moved along x, y and z where the grid is deformed. */
  readonly channels: 1 | 4;
  readonly level: number;
  /** Numbers of many nodes, [count,channels]. */
  evaluate(nodes: Int32Array): Promise<Float32Array>;
  /** What linear interpolation along an edge sees of a value; default the value itself. */
  readonly shape?: ((value: number) => number) | undefined;
}

/** Coordinates of node `node` of a grid from -extent to extent, in units of nodes from one corner: x, y, z. */
export function nodePlace(node: number, nodes: number): [number, number, number] {
  const z = node % nodes;
  const rest = (node - z) / nodes;
  const y = rest % nodes;
  return [(rest - y) / nodes, y, z];
}

/** Positions [count,3] of nodes of a grid from -extent to extent. */
export function nodePositions(places: Int32Array, nodes: number, extent: number): Float32Array {
  const step = 2 * extent / (nodes - 1);
  const out = new Float32Array(3 * places.length);
  places.forEach((node, i) => {
    const place = nodePlace(node, nodes);
    for (let axis = 0; axis < 3; axis++) out[3 * i + axis] = -extent + place[axis] * step;
  });
  return out;
}

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
