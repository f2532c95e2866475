/**
 * Tables of the rotary positions (Su et al. 2021, "RoFormer") over frame, row and column.
 *
 * Channel pairs (2j, 2j+1) of a head are rotated by position * 10000^(-2j/d), where the first pairs count frames, the
 * next ones rows, the last ones columns, each group with its own d. Angles are formed in 64 bits.
 *
 * @module
 */

/** Cosines and sines of every token and channel pair, `[tokens, headDim / 2]` each. */
export interface RopeTables {
  readonly cos: Float32Array;
  readonly sin: Float32Array;
}

/** Channel pairs that turn with the frame, the row and the column. */
export function ropePairs(headDim: number): [frame: number, row: number, column: number] {
  const pairs = headDim / 2;
  const third = Math.floor(pairs / 3);
  return [pairs - 2 * third, third, third];
}

/**
 * Tables for tokens in the order frame, row, column.
 *
 * @param headDim Channels of a head, even.
 * @param frames Position of every frame, relative to the attention window.
 * @param rows Token rows of a frame.
 * @param columns Token columns of a frame.
 */
export function ropeTables(headDim: number, frames: readonly number[], rows: number, columns: number): RopeTables {
  const pairs = headDim / 2;
  const [framePairs, rowPairs] = ropePairs(headDim);
  const cos = new Float32Array(frames.length * rows * columns * pairs);
  const sin = new Float32Array(cos.length);
  const frequencies = ropePairs(headDim).flatMap((n) => Array.from({ length: n }, (_, j) => 10000 ** (-j / n)));
  let at = 0;
  for (const frame of frames) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        for (let j = 0; j < pairs; j++, at++) {
          const position = j < framePairs ? frame : j < framePairs + rowPairs ? row : column;
          cos[at] = Math.cos(position * frequencies[j]);
          sin[at] = Math.sin(position * frequencies[j]);
        }
      }
    }
  }
  return { cos, sin };
}
