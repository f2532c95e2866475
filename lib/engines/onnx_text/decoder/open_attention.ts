/**
 * Attention that reads past keys and values in place, where an operator of the graph does no more than that.
 *
 * @module
 */
import { type Attribute, nodeMessage, tensorMessage, valueInfoMessage } from "../../../compute/onnx/onnx_messages.ts";
import type { DecoderGraph, KvTensor } from "./decoder_graph.ts";
import { protoText, ProtoWriter, readProto } from "../../../compute/onnx/proto.ts";
import type { OnnxFile, OnnxNode } from "../../onnx_sessions/onnx_file.ts";
import { IS_SINGLE, newIndices, POSITIONS, SCORE_MASK, SPLIT } from "./decoder_inputs.ts";

/** `GroupQueryAttention` with a separate branch for single tokens. */
interface OpenAttention {
  /** The node that replaces an operator, with the names of its new keys and values. */
  replace(node: OnnxNode, newKeys: string, newValues: string): ProtoWriter;
  /** Constants that the nodes share. */
  readonly constants: readonly ProtoWriter[];
}

/**
 * `GroupQueryAttention` on the CPU allocates a new buffer for past and new keys and values on each token, clears it and
 * copies everything: at 3,500 tokens that costs more than all matrix products. Scores with past and new keys can be
 * computed separately: one softmax over both, and the sum of both parts' values, is equivalent.
 *
 * @returns Undefined where the operator does more than plain rotary attention.
 */
export function openAttention(file: OnnxFile, { kv, kvType }: DecoderGraph): OpenAttention | undefined {
  const nodes = file.nodes.filter((node) => node.type === "GroupQueryAttention");
  const tensors = new Map(kv.map((one) => [one.past, one]));
  const attentions = nodes.map((node) => describeAttention(file, node, tensors.get(node.inputs[3])));
  const [first] = attentions;
  if (operatorSet(file) < 13) return undefined;
  if (first === undefined || kvType !== "float32" || nodes.length * 2 !== kv.length) return undefined;
  const same = attentions.every((other) =>
    other?.heads === first.heads && other.kvHeads === first.kvHeads && other.dim === first.dim
  );
  const presents = new Set(kv.map((one) => one.present));
  const elsewhere = file.nodes.some((node) => node.inputs.some((input) => presents.has(input)));
  if (!same || elsewhere) return undefined;
  const { heads, kvHeads, dim } = first;
  return {
    constants: [
      whole("svc.query_shape", [0, kvHeads, heads / kvHeads, dim]),
      whole("svc.key_shape", [0, kvHeads, 1, dim]),
      whole("svc.packed", [heads * dim, kvHeads * dim, kvHeads * dim]),
      whole("svc.output_shape", [0, 1, heads * dim]),
    ],
    replace: (node, newKeys, newValues) => {
      const ways = {
        then_branch: attendOnce(node, attentions[nodes.indexOf(node)] as Attention),
        else_branch: attendTogether(node, kvHeads),
      };
      return nodeMessage("If", "", [IS_SINGLE], [node.outputs[0], newKeys, newValues], ways);
    },
  };
}

/** The attention of a single token of each sequence: its keys and values are `[batch, heads, 1, dim]`. */
function attendOnce({ inputs, outputs }: OnnxNode, { scale, rotary, interleaved }: Attention): ProtoWriter {
  const [, packedKey, , pastKeys, pastValues, , , cosines, sines] = inputs;
  const graph = new ProtoWriter();
  const name = (part: string) => `svc.${part}.${outputs[0]}`;
  let [query, key, value] = inputs;
  if (packedKey === "") {
    const packed = query;
    [query, key, value] = ["own_query", "own_key", "own_value"].map(name);
    graph.message(1, nodeMessage("Split", "", [packed, "svc.packed"], [query, key, value], { axis: -1 }));
  }
  const node = (
    type: string,
    given: readonly string[],
    result: string,
    attributes: Readonly<Record<string, Attribute>> = {},
    domain = "",
  ): string => {
    graph.message(1, nodeMessage(type, domain, given, [name(result)], attributes));
    return name(result);
  };
  const microsoft = "com.microsoft";
  const turned = (from: string, result: string): string =>
    rotary ? node("RotaryEmbedding", [from, POSITIONS, cosines, sines], result, { interleaved }, microsoft) : from;
  const queries = node("Reshape", [turned(query, "turned_query"), "svc.query_shape"], "query");
  const keys = node("Reshape", [turned(key, "turned_key"), "svc.key_shape"], "key");
  const values = node("Reshape", [value, "svc.key_shape"], "value");
  const scores = (of: string, result: string): string =>
    node("FusedMatMul", [queries, of], result, { transB: 1, alpha: { float: scale } }, microsoft);
  const all = node("Concat", [scores(pastKeys, "past_scores"), scores(keys, "new_scores")], "scores", { axis: 3 });
  const weights = node("Softmax", [node("Add", [all, SCORE_MASK], "masked")], "weights", { axis: -1 });
  const [past, added] = [name("past_weights"), name("new_weights")];
  graph.message(1, nodeMessage("Split", "", [weights, SPLIT], [past, added], { axis: 3 }));
  const sum = node("Add", [
    node("MatMul", [past, pastValues], "past_sum"),
    node("MatMul", [added, values], "new_sum"),
  ], "sum");
  return branch(graph, "once", [node("Reshape", [sum, "svc.output_shape"], "once"), keys, values]);
}

/** The original attention, with the new keys and values as outputs. */
function attendTogether({ bytes, outputs }: OnnxNode, heads: number): ProtoWriter {
  const graph = new ProtoWriter();
  const operator = new ProtoWriter();
  const names = outputs.map((output) => `svc.together.${output}`);
  let next = 0;
  for (const field of readProto(bytes)) {
    if (field.field === 2) operator.string(2, names[next++]);
    else operator.fields(field.whole);
  }
  graph.message(1, operator);
  const added = names.slice(1, 3).map((name) => {
    graph.message(1, nodeMessage("GatherND", "", [name, newIndices(heads)], [`${name}.new`], {}));
    return `${name}.new`;
  });
  return branch(graph, "together", [names[0], ...added]);
}

/** A `GraphProto` of a branch. */
function branch(graph: ProtoWriter, name: string, outputs: readonly string[]): ProtoWriter {
  graph.string(2, name);
  for (const output of outputs) graph.message(12, valueInfoMessage(output, "float"));
  return graph;
}

/** Operator set version of ONNX; the operators used are stable from 13 on. */
function operatorSet({ head }: OnnxFile): number {
  for (const message of head) {
    for (const { field, bytes } of readProto(message)) {
      if (field !== 8) continue;
      const parts = [...readProto(bytes)];
      if (parts.every((part) => part.field !== 1 || part.bytes.length === 0)) {
        return parts.find((part) => part.field === 2)?.number ?? 0;
      }
    }
  }
  return 0;
}

function whole(name: string, values: readonly number[]): ProtoWriter {
  return tensorMessage(name, "int64", [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));
}

/** Sizes and settings of an attention. */
interface Attention {
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
function describeAttention(
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
