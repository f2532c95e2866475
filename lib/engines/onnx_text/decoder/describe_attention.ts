/**
 * Describes an attention operator of a graph.
 *
 * @module
 */
import { protoText, readProto } from "../../../compute/onnx/proto.ts";
import type { KvTensor } from "./decoder_graph.ts";
import type { OnnxFile, OnnxNode } from "../../onnx_sessions/onnx_file.ts";

/** Sizes and settings of an attention. */
export interface Attention {
  readonly heads: number;
  readonly kvHeads: number;
  readonly dim: number;
  readonly scale: number;
  /** Whether it applies rotary embeddings to queries and keys. */
  readonly rotary: boolean;
  readonly interleaved: number;
}

/**
 * Describes a `GroupQueryAttention`.
 *
 * @param kv Its past keys.
 * @returns Undefined for one with more than plain rotary attention, or with unknown sizes.
 */
export function describeAttention(
  { weights }: OnnxFile,
  node: OnnxNode,
  kv: Pick<KvTensor, "heads" | "dim"> | undefined,
): Attention | undefined {
  const [query, key, value, , , , , cosines, sines, ...more] = node.inputs;
  const settings = attributes(node);
  const unknown = [...settings.keys()].some((name) => !known.has(name));
  const further = (settings.get("softcap") ?? 0) !== 0 || (settings.get("smooth_softmax") ?? 0) > 0 ||
    (settings.get("local_window_size") ?? -1) !== -1;
  const [heads, kvHeads] = [settings.get("num_heads") ?? 0, settings.get("kv_num_heads") ?? 0];
  if (unknown || further || more.some((name) => name !== "")) return undefined;
  if (kv === undefined || kv.heads !== kvHeads || !(heads > 0) || heads % kvHeads !== 0) return undefined;
  // One input may hold queries, keys and values concatenated.
  if (!query || !key !== !value) return undefined;
  const { dim } = kv;
  const rotary = settings.get("do_rotary") === 1;
  if (rotary && !(isTable(weights.get(cosines), dim / 2) && isTable(weights.get(sines), dim / 2))) return undefined;
  const scale = settings.get("scale") || 1 / Math.sqrt(dim);
  return { heads, kvHeads, dim, scale, rotary, interleaved: settings.get("rotary_interleaved") ?? 0 };
}

const known = new Set([
  "num_heads",
  "kv_num_heads",
  "scale",
  "do_rotary",
  "rotary_interleaved",
  "softcap",
  "smooth_softmax",
  "local_window_size",
]);

/** Integer attributes of a node; negative ones are returned as -1. */
function attributes(node: OnnxNode): Map<string, number> {
  const found = new Map<string, number>();
  for (const field of readProto(node.bytes)) {
    if (field.field !== 5) continue;
    let [name, number] = ["", 0];
    for (const part of readProto(field.bytes)) {
      if (part.field === 1) name = protoText(part);
      else if (part.field === 2) number = new DataView(part.bytes.slice().buffer).getFloat32(0, true);
      else if (part.field === 3) number = part.number < 2 ** 63 ? part.number : -1;
    }
    found.set(name, number);
  }
  return found;
}

/** Whether a weight is a table with that many columns. */
function isTable(weight: Uint8Array | undefined, columns: number): boolean {
  if (weight === undefined) return false;
  const sizes = [...readProto(weight)].filter(({ field }) => field === 1).map(({ number }) => number);
  return sizes.length === 2 && sizes[1] === columns;
}
