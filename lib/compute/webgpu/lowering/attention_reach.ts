/**
 * How far the kernels of attention reach: all of them have the parameters of `attention_operands.wgsl`.
 *
 * @module
 */
import type { KernelParams } from "./kernel_interface.ts";
import { type KernelVariant, type Reach, strided } from "./reach.ts";

/** `attention.wgsl` */
export function attention(p: KernelParams): Reach {
  return operandsReach(p, p.number("parts"));
}

/** `attention_kept.wgsl`, whose workgroups have no parts. */
export function attentionKept(p: KernelParams): Reach {
  return operandsReach(p, 1);
}

/** `attention_matrix.wgsl`, whose arrays in workgroup memory have lengths of their own beside what they depend on. */
export function attentionMatrix(p: KernelParams, { constants, constant, declares }: KernelVariant): Reach {
  const { KEYS, STRIPS } = constants;
  if (KEYS !== 16 && KEYS !== 32) throw new RangeError(`it stages ${KEYS} keys`);
  if (!(STRIPS >= 1 && STRIPS <= 8)) throw new RangeError(`it has ${STRIPS} strips`);
  const [queries, skew] = [4 * constant("EDGE"), constant("SKEW")];
  const needed: Readonly<Record<string, number>> = {
    TILE: KEYS * (16 * STRIPS + skew),
    LOGITS: queries * (KEYS + 4),
    ...(declares("weightTile") && { WEIGHTS: queries * (KEYS + skew) }),
    ...(declares("queryTile") && { QUERY_TILE: queries * 16 * STRIPS }),
  };
  for (const [name, length] of Object.entries(needed)) {
    if (!(constants[name] >= length)) {
      throw new RangeError(`workgroup memory ${name} has ${constants[name]} elements, expected ${length}`);
    }
  }
  return attention(p);
}

function operandsReach(p: KernelParams, parts: number): Reach {
  const [queries, keys, heads, width, valueWidth] = ["queries", "keys", "heads", "width", "valueWidth"]
    .map((name) => p.number(name));
  const batch = Math.ceil(p.number("workgroups") / (parts * p.number("queryTiles") * heads));
  const operand = (strides: readonly number[], tokens: number, columns: number) =>
    strided(strides[3], [batch, tokens, heads], strides) + columns - 1;
  const bias = p.list("biasStrides");
  return {
    q: operand(p.list("qStrides"), queries, width),
    k: operand(p.list("kStrides"), keys, width),
    v: operand(p.list("vStrides"), keys, valueWidth),
    bias: p.number("hasBias") && strided(p.number("biasStart"), [batch, heads, queries, keys], bias),
    output: batch * queries * heads * valueWidth,
  };
}
