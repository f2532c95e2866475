/**
 * A surface where a network saw none.
 *
 * @module
 */

/**
 * Gives a field without a surface one. Where no node inside the border, or every one of them, lies within the object, the
 * middle node is set to 1 less the smallest value and all nodes of the border to -1 less the largest.
 *
 * @param field [nodes,nodes,nodes], above 0 inside; changed in place.
 * @returns whether there was something to repair.
 */
export function repairField(field: Float32Array, nodes: number): boolean {
  let [positive, negative] = [false, false];
  forEachNode(nodes, (at, border) => {
    if (border) return;
    positive ||= field[at] > 0;
    negative ||= field[at] < 0;
  });
  if (positive && negative) return false;
  let [low, high] = [Infinity, -Infinity];
  for (const value of field) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const middle = nodes >> 1;
  field[(middle * nodes + middle) * nodes + middle] = 1 - low;
  forEachNode(nodes, (at, border) => {
    if (border) field[at] = -1 - high;
  });
  return true;
}

function forEachNode(nodes: number, visit: (at: number, border: boolean) => void): void {
  const edge = (i: number) => i === 0 || i === nodes - 1;
  for (let x = 0, at = 0; x < nodes; x++) {
    for (let y = 0; y < nodes; y++) {
      for (let z = 0; z < nodes; z++, at++) visit(at, edge(x) || edge(y) || edge(z));
    }
  }
}
