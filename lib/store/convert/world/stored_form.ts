/**
 * How each weight of a world is stored.
 *
 * @module
 */
import { formatShape, type Shape, sizeOf } from "../../../compute/tensor/mod.ts";

/** What a part is converted to. */
export type WeightType = "f32" | "f16" | "q8" | "q4";

/** One weight in its file. */
export type StoredForm =
  | { readonly kind: "floats"; readonly dtype: "F32" | "F16" }
  | { readonly kind: "quantised"; readonly bits: 4 | 8; readonly groupSize: number };

/** Small, used in every pass, and what everything else hangs on: they stay floats. */
const KEPT: Readonly<Record<"arworld" | "actionworld", RegExp>> = {
  arworld: /^(time_embedding|time_projection|text_embedding|head|patch_embedding)\.|pos_embedding|modulation$/,
  actionworld: /^(time_embedder|proj_in|proj_out|action_proj_in|action_proj_out)\.|\.embeddings\./,
};

/** Groups by measured error: with 4 bits a wider group costs more than its scales save. */
const GROUPS: Readonly<Record<4 | 8, number>> = { 8: 64, 4: 32 };

/** The form of a weight by its name in the file. Vectors stay in 32 bits: they are few and scale everything. */
export function storedForm(name: string, shape: Shape, type: WeightType): StoredForm {
  const isVector = shape.filter((length) => length > 1).length <= 1 || /modulation$/.test(name);
  if (type === "f32" || isVector) return { kind: "floats", dtype: "F32" };
  if (type === "f16" || shape.length !== 2 || Object.values(KEPT).some((kept) => kept.test(name))) {
    return { kind: "floats", dtype: "F16" };
  }
  // A table of tokens is looked up, not multiplied by: its errors go straight into the text.
  const bits = type === "q8" || /^(token_embedding|embed_tokens)\.weight$/.test(name) ? 8 : 4;
  return { kind: "quantised", bits, groupSize: GROUPS[bits] };
}

/** A tensor of the file to write. */
export interface StoredPart {
  readonly name: string;
  readonly dtype: "F32" | "F16" | "U8";
  readonly shape: Shape;
  readonly byteLength: number;
}

/** The tensors that a weight becomes. */
export function storedParts(name: string, shape: Shape, form: StoredForm): readonly StoredPart[] {
  if (form.kind === "floats") {
    return [{ name, dtype: form.dtype, shape, byteLength: sizeOf(shape) * (form.dtype === "F32" ? 4 : 2) }];
  }
  const [rows, columns] = shape;
  if (columns === undefined) throw new Error(`Cannot quantise ${name} ${formatShape(shape)}: it is no matrix`);
  const groups = Math.ceil(columns / form.groupSize);
  const width = groups * form.groupSize * form.bits / 8;
  return [
    { name: `${name}.q${form.bits}`, dtype: "U8", shape: [rows, width], byteLength: rows * width },
    { name: `${name}.scales`, dtype: "F32", shape: [rows, groups], byteLength: rows * groups * 4 },
  ];
}
