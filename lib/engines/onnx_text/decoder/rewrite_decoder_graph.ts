/**
 * Rewrites a decoder graph for the decode loop.
 *
 * @module
 */
import { elementTypes, nodeMessage, valueInfoMessage } from "../../../compute/onnx/onnx_messages.ts";
import { protoText, ProtoWriter, readProto } from "../../../compute/onnx/proto.ts";
import type { DecoderGraph } from "./decoder_graph.ts";
import { findHead } from "./find_head.ts";
import type { OnnxFile } from "../../onnx_sessions/onnx_file.ts";
import { openAttention } from "./open_attention.ts";
import { IS_SINGLE, LOGIT_INDICES, newIndices, newOutput, POSITIONS, SCORE_MASK, SPLIT } from "./rewritten_names.ts";

/** A decoder whose outputs suit the decode loop. */
export interface RewrittenDecoder {
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
