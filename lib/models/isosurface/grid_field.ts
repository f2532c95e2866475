/**
 * Numbers at the nodes of a grid.
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
