/**
 * A dense layer with separate weights for every domain.
 *
 * @module
 */
import { matmul, type Shape, type Tensor, tensorPart, type Value } from "../../../compute/tensor/mod.ts";

/**
 * x [N,K] times the matrix of a domain, plus its bias -> [N,D].
 *
 * @param matrices [domains, inputs * D]: in every row a matrix, input by input (not as a linear layer stores it). If K
 * is less than its inputs, the missing elements of x count as zeros.
 * @param biases [domains, D]
 */
export function domainLinear(x: Value, matrices: Tensor, biases: Tensor, domain: number): Value {
  const [, inputs] = x.shape;
  const [, outputs] = biases.shape;
  const constant = (table: Tensor, shape: Shape) => x.graph.constant(startOfRow(table, domain, shape));
  return matmul(x, constant(matrices, [inputs, outputs]), { bias: constant(biases, [outputs]) });
}

/** The first elements of a row of a matrix, so that no other row is uploaded. */
function startOfRow(table: Tensor, row: number, shape: Shape): Tensor {
  const start = row * table.shape[1];
  return tensorPart(table, shape, start);
}
