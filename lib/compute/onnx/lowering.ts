/**
 * Lowers one operator of a graph to ONNX operators.
 *
 * @module
 */
import type { Shape } from "../tensor/shape.ts";
import type { OpKind, OpOf } from "../tensor/op.ts";
import type { ModelBuilder, Operand } from "./model_builder.ts";

/** Appends what computes the operator and returns the name of its result. */
export type Lowering<K extends OpKind> = (
  builder: ModelBuilder,
  op: OpOf<K>,
  inputs: readonly Operand[],
  output: Shape,
) => string;
