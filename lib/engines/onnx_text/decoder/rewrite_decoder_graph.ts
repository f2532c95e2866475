/**
 * Rewrites a decoder graph for the decode loop: outputs of new keys and values only, logits where they are requested,
 * norms of queries and keys as nodes of their own.
 *
 * @module
 */
import { protoText, ProtoWriter, readProto } from "../../../compute/onnx/proto.ts";
import { elementTypes, nodeMessage, tensorMessage, valueInfoMessage } from "../../../compute/onnx/onnx_messages.ts";
import type { DecoderGraph } from "./decoder_graph.ts";
import type { OnnxFile, OnnxNode } from "../../onnx_sessions/onnx_file.ts";
import { openAttention } from "./open_attention.ts";
import { IS_SINGLE, LOGIT_INDICES, newIndices, newOutput, POSITIONS, SCORE_MASK, SPLIT } from "./decoder_inputs.ts";

/** A decoder whose outputs suit the decode loop. */
interface RewrittenDecoder {
  /** The model; its large weights stay in place. */
  readonly bytes: Uint8Array;
  /** Whether it has the input {@linkcode LOGIT_INDICES}. */
  readonly choosesLogits: boolean;
  /** Whether single tokens take a separate branch of the attention. */
  readonly singles: boolean;
}

/**
 * Replaces the outputs of whole caches, which grow with every token, by outputs of the new keys and values, opens the
 * attention, and computes logits only where requested: at a vocabulary of 151,936 the logits of 512 tokens are 300 MB
 * and, with a small model, nearly half of the work.
 *
 * @param cut Whether to look for the projection onto the vocabulary.
 * @param wholeCaches Whether the outputs of whole caches stay, for a device that keeps them, and the attention too.
 */
export function rewriteDecoderGraph(
  file: OnnxFile,
  graph: DecoderGraph,
  cut: boolean,
  wholeCaches = false,
): RewrittenDecoder {
  const head = cut && graph.logitCountRank === undefined ? findHead(file) : undefined;
  const attention = wholeCaches ? undefined : openAttention(file, graph);
  const body = new ProtoWriter();
  for (const part of file.rest) body.fields(part);
  for (const node of file.nodes) {
    if (attention !== undefined && node.type === "GroupQueryAttention") {
      const [keys, values] = [node.inputs[3], node.inputs[4]].map((past) => newOutput({ past }));
      body.message(1, attention.replace(node, keys, values));
    } else if (node.type === "GroupQueryAttention") body.bytes(1, withWholeCache(node.bytes));
    else body.bytes(1, head?.users.has(node) ? withInput(node.bytes, head.hidden, chosenName) : node.bytes);
  }
  for (const weight of file.weights.values()) body.bytes(5, weight);
  for (const input of file.inputs) body.bytes(11, input.bytes);
  const kept = new Set([...graph.states, ...wholeCaches ? graph.kv : []].map(({ present }) => present));
  for (const output of file.outputs) {
    if (kept.has(output.name)) body.bytes(12, output.bytes);
    if (output.name === "logits") {
      const type = output.elementType === elementTypes.float16 ? "float16" : "float";
      if (head === undefined) body.bytes(12, output.bytes);
      else body.message(12, valueInfoMessage("logits", type));
    }
  }
  if (head !== undefined) {
    body.message(1, nodeMessage("Gather", "", [head.hidden, LOGIT_INDICES], [chosenName], { axis: 1 }))
      .message(11, valueInfoMessage(LOGIT_INDICES, "int64", ["svc.logits"]));
  }
  if (attention !== undefined) {
    for (const constant of attention.constants) body.message(5, constant);
    body.message(11, valueInfoMessage(IS_SINGLE, "bool", [1]))
      .message(11, valueInfoMessage(POSITIONS, "int64", ["svc.batch", 1]))
      .message(11, valueInfoMessage(SCORE_MASK, "float", ["svc.batch", 1, 1, "svc.all"]))
      .message(11, valueInfoMessage(SPLIT, "int64", [2]));
  }
  if (!wholeCaches) addNewOutputs(body, graph, attention === undefined);
  const model = new ProtoWriter();
  for (const part of file.head) model.fields(part);
  return {
    bytes: model.message(7, body).finish(),
    choosesLogits: head !== undefined,
    singles: attention !== undefined,
  };
}

function addNewOutputs(body: ProtoWriter, { kv, kvType }: DecoderGraph, gathers: boolean): void {
  for (const heads of new Set(kv.map((one) => one.heads))) {
    body.message(11, valueInfoMessage(newIndices(heads), "int64", ["svc.batch", heads, "svc.tokens", 3]));
  }
  const type = kvType === "float32" ? "float" : "float16";
  for (const one of kv) {
    const indices = newIndices(one.heads);
    if (gathers) body.message(1, nodeMessage("GatherND", "", [one.present, indices], [newOutput(one)], {}));
    body.message(12, valueInfoMessage(newOutput(one), type));
  }
}

const chosenName = "svc.chosen";

/** Layers with a window may drop older tokens; sequences that are rewound or forked need them again. */
function withWholeCache(node: Uint8Array): Uint8Array {
  const message = new ProtoWriter();
  for (const field of readProto(node)) {
    const [name] = field.field === 5 ? readProto(field.bytes) : [];
    if (name === undefined || protoText(name) !== "sliding_window_cache") message.fields(field.whole);
  }
  return message.finish();
}

function withInput(node: Uint8Array, from: string, to: string): Uint8Array {
  const message = new ProtoWriter();
  for (const field of readProto(node)) {
    if (field.field === 1 && protoText(field) === from) message.string(1, to);
    else message.fields(field.whole);
  }
  return message.finish();
}

/** The projection from hidden states to logits. */
interface Head {
  /** Name of the value that is projected, `[batch, tokens, hidden]`. */
  readonly hidden: string;
  /** The nodes that consume it for the projection. */
  readonly users: ReadonlySet<OnnxNode>;
}

/** Projections, and dequantization before them: the model leads to their first input. */
const ends = new Set(["MatMul", "MatMulNBits", "DynamicQuantizeLinear"]);

/** Operators between projection and logits that act on each token separately. */
const passed = new Set(["Identity", "Cast", "Add", "Sub", "Mul", "Div", "Tanh", "MatMulInteger"]);

/**
 * Traces back from the logits to the projection. Undefined when another operator is between them, or another part of
 * the graph uses the values.
 */
export function findHead({ nodes, weights }: OnnxFile): Head | undefined {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const way = new Set<OnnxNode>();
  const users = new Set<OnnxNode>();
  const hidden = new Set<string>();
  const open = ["logits"];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = makers.get(name);
    if (weights.has(name) || node?.type === "Constant") continue;
    if (node === undefined) return undefined;
    if (way.has(node)) continue;
    way.add(node);
    if (ends.has(node.type)) {
      users.add(node);
      hidden.add(node.inputs[0]);
    } else if (passed.has(node.type)) open.push(...node.inputs.filter((input) => input !== ""));
    else return undefined;
  }
  if (hidden.size !== 1) return undefined;
  const made = new Set([...way].flatMap((node) => node.outputs));
  const elsewhere = nodes.some((node) => !way.has(node) && node.inputs.some((input) => made.has(input)));
  return elsewhere ? undefined : { hidden: [...hidden][0], users };
}

/** Inputs of `GroupQueryAttention` with norm weights. */
const [QUERY_NORM, KEY_NORM] = [14, 15];

/** Its attribute with the epsilon of the norms. */
const EPSILON = "qk_norm_epsilon";

/**
 * Exports for GPUs let `GroupQueryAttention` normalize queries and keys, which its CPU implementation does not support:
 * separate nodes compute the same (Zhang and Sennrich 2019, "Root mean square layer normalization", for each head).
 */
export function separateNorms(file: OnnxFile): OnnxFile {
  const weights = new Map(file.weights);
  const nodes = file.nodes.flatMap((node) => {
    if (node.type !== "GroupQueryAttention" || !node.inputs[QUERY_NORM] || !node.inputs[KEY_NORM]) return [node];
    const { rest, epsilon } = attention(node);
    const [query, key, ...others] = node.inputs;
    const inputs = [`${node.outputs[0]}.query`, `${node.outputs[0]}.key`, ...others.slice(0, QUERY_NORM - 2)];
    const message = new ProtoWriter();
    for (const input of inputs) message.string(1, input);
    message.fields(rest);
    return [
      ...norm(query, node.inputs[QUERY_NORM], inputs[0], epsilon, weights),
      ...norm(key, node.inputs[KEY_NORM], inputs[1], epsilon, weights),
      { ...node, inputs, bytes: message.finish() },
    ];
  });
  return { ...file, nodes, weights };
}

/** Nodes that normalize each head of a value; the shapes that they need are added to the weights. */
function norm(
  value: string,
  weight: string,
  result: string,
  epsilon: number,
  weights: Map<string, Uint8Array>,
): OnnxNode[] {
  const [dim] = [...readProto(weights.get(weight) ?? new Uint8Array())].filter(({ field }) => field === 1);
  if (dim === undefined) throw new Error(`Cannot read the graph: "${weight}" is not a weight, expected a norm's`);
  const [heads, rows] = [`svc.norm_heads.${dim.number}`, "svc.norm_rows"];
  weights.set(heads, shape(heads, [0, 0, -1, dim.number])).set(rows, shape(rows, [0, 0, -1]));
  const attributes = { axis: -1, epsilon: { float: epsilon }, stash_type: 1 };
  const node = (type: string, inputs: string[], output: string, given = {}): OnnxNode => ({
    type,
    inputs,
    outputs: [output],
    bytes: nodeMessage(type, "", inputs, [output], given).finish(),
  });
  return [
    node("Reshape", [value, heads], `${result}.heads`),
    node("SimplifiedLayerNormalization", [`${result}.heads`, weight], `${result}.normed`, attributes),
    node("Reshape", [`${result}.normed`, rows], result),
  ];
}

/** The fields of the operator without the norm inputs and epsilon, and that epsilon. */
function attention({ bytes }: OnnxNode): { readonly rest: Uint8Array; readonly epsilon: number } {
  const rest = new ProtoWriter();
  let epsilon = 1e-6;
  for (const field of readProto(bytes)) {
    const parts = field.field === 5 ? [...readProto(field.bytes)] : [];
    if (parts.some((part) => part.field === 1 && protoText(part) === EPSILON)) {
      const value = parts.find((part) => part.field === 2);
      if (value !== undefined) epsilon = new DataView(value.bytes.slice().buffer).getFloat32(0, true);
    } else if (field.field !== 1) rest.fields(field.whole);
  }
  return { rest: rest.finish(), epsilon };
}

function shape(name: string, sizes: readonly number[]): Uint8Array {
  const raw = new Uint8Array(BigInt64Array.from(sizes, BigInt).buffer);
  return tensorMessage(name, "int64", [sizes.length], raw).finish();
}
