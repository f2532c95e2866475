/**
 * Attention and rotary positions.
 *
 * @module
 */
import { sizeOf } from "../tensor/shape.ts";
import type { Lowering } from "./lowering.ts";

/** q [B?,Lq,H,D], k [B?,Lk,H,D], v [B?,Lk,H,Dv], bias? broadcastable to [B?,H,Lq,Lk] -> [B?,Lq,H,Dv] */
export const lowerAttention: Lowering<"attention"> = (builder, op, [q, k, v, bias], output) => {
  const batch = q.shape.length === 4 ? q.shape[0] : 1;
  const [lq, heads] = q.shape.slice(-3);
  const [lk] = k.shape.slice(-3);
  const merged = [q, k, v].map((x) => {
    const [tokens, , channels] = x.shape.slice(-3);
    return builder.node("Reshape", [x.name, builder.integers([batch, tokens, heads * channels])]);
  });
  if (bias) {
    const lead = [1, 1, 1, 1].slice(bias.shape.length);
    const four = [...lead, ...bias.shape];
    const whole = [four[0], four[1], lq, lk];
    let name = lead.length ? builder.node("Reshape", [bias.name, builder.integers(four)]) : bias.name;
    if (sizeOf(whole) !== sizeOf(four)) name = builder.node("Expand", [name, builder.integers(whole)]);
    merged.push("", "", name);
  }
  const attended = builder.node("com.microsoft:MultiHeadAttention", merged, {
    num_heads: heads,
    scale: { float: op.scale },
  });
  return builder.node("Reshape", [attended, builder.integers(output)]);
};

/** x [L,H,D], cos [L,D/2], sin [L,D/2] -> [L,H,D], pairs (2j, 2j+1) */
export const lowerRope: Lowering<"rope"> = (builder, _, [x, cos, sin]) => {
  const [tokens, heads, channels] = x.shape;
  const merged = builder.node("Reshape", [x.name, builder.integers([1, tokens, heads * channels])]);
  const rotated = builder.node(
    "com.microsoft:RotaryEmbedding",
    [merged, builder.integers([0]), cos.name, sin.name],
    { interleaved: 1 },
  );
  return builder.node("Reshape", [rotated, builder.integers(x.shape)]);
};
