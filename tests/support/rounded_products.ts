import { ModelBuilder } from "../../lib/compute/onnx/model_builder.ts";

/**
 * Makes the CPU round what products of 16 bits take and give, as a GPU does. ONNX Runtime has no CPU kernels for them and
 * computes them in 32 bits; it removes the casts around them, unless something lies between that moves 16-bit numbers.
 */
export function roundProducts(): void {
  const { node } = ModelBuilder.prototype;
  const [FLOAT, HALF] = [1, 10];
  ModelBuilder.prototype.node = function (type, inputs, attributes = {}) {
    const through = (name: string) => node.call(this, "Concat", [name], { axis: 0 });
    if (type !== "Cast" || this.products === "f32") return node.call(this, type, inputs, attributes);
    if (attributes.to === HALF) return through(node.call(this, type, inputs, attributes));
    return node.call(this, type, attributes.to === FLOAT ? inputs.map(through) : inputs, attributes);
  };
}
