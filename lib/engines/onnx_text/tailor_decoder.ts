/**
 * Fits the graph of a decoder to the loop around it.
 *
 * @module
 */
import { nodeMessage } from "../../onnx/onnx_messages.ts";
import { protoText, readProto } from "../../onnx/proto_reader.ts";
import { ProtoWriter } from "../../onnx/proto_writer.ts";
import type { DecoderGraph, KvTensor } from "./decoder_graph.ts";
import { findHead } from "./find_head.ts";
import type { OnnxFile } from "./onnx_file.ts";

/** Input: indices of the tokens, among those that are fed, whose logits are wanted. */
export const LOGIT_INDICES = "svc.logit_indices";

/** Output: the new keys or values only, `[batch, heads, new tokens, dim]`. */
export function newOutput(kv: KvTensor): string {
  return `svc.new.${kv.past}`;
}

/** Input: where the new keys and values are, `[batch, heads, new tokens, 3]`, for all tensors with as many heads. */
export function newIndices(heads: number): string {
  return `svc.new_indices.${heads}`;
}

/** A decoder whose outputs are what the loop needs. */
export interface TailoredDecoder {
  /** The model; its large weights are where they were. */
  readonly bytes: Uint8Array;
  /** Whether it has the input {@linkcode LOGIT_INDICES}. */
  readonly choosesLogits: boolean;
}

/**
 * Replaces the outputs of whole caches, which grow with every token, by outputs of what is new in them, and computes
 * logits only where they are wanted: at a vocabulary of 151,936 the logits of 512 tokens are 300 MB and, with a small
 * model, nearly half of the work.
 *
 * @param cut Whether to look for the projection onto the vocabulary.
 */
export function tailorDecoder(file: OnnxFile, graph: DecoderGraph, cut: boolean): TailoredDecoder {
  const head = cut && graph.logitCountRank === undefined ? findHead(file) : undefined;
  const body = new ProtoWriter();
  for (const part of file.rest) body.fields(part);
  for (const node of file.nodes) {
    body.bytes(1, head?.users.has(node) ? withInput(node.bytes, head.hidden, chosenName) : node.bytes);
  }
  for (const weight of file.weights.values()) body.bytes(5, weight);
  for (const input of file.inputs) body.bytes(11, input.bytes);
  for (const output of file.outputs) {
    if (output.name === "logits") body.bytes(12, head ? withoutShape("logits", output.elementType) : output.bytes);
  }
  if (head !== undefined) {
    body.message(1, nodeMessage("Gather", "", [head.hidden, LOGIT_INDICES], [chosenName], { axis: 1 }))
      .message(11, input(LOGIT_INDICES, ["svc.logits"]));
  }
  for (const heads of new Set(graph.kv.map((kv) => kv.heads))) {
    body.message(11, input(newIndices(heads), ["batch_size", heads, "sequence_length", 3]));
  }
  const elementType = graph.kvType === "float32" ? 1 : 10;
  for (const kv of graph.kv) {
    body.message(1, nodeMessage("GatherND", "", [kv.present, newIndices(kv.heads)], [newOutput(kv)], {}))
      .bytes(12, withoutShape(newOutput(kv), elementType));
  }
  const model = new ProtoWriter();
  for (const part of file.head) model.fields(part);
  return { bytes: model.message(7, body).finish(), choosesLogits: head !== undefined };
}

const chosenName = "svc.chosen";

function withInput(node: Uint8Array, from: string, to: string): Uint8Array {
  const message = new ProtoWriter();
  for (const field of readProto(node)) {
    if (field.field === 1 && protoText(field) === from) message.string(1, to);
    else message.fields(field.whole);
  }
  return message.finish();
}

function withoutShape(name: string, elementType: number): Uint8Array {
  const type = new ProtoWriter().message(1, new ProtoWriter().int(1, elementType));
  return new ProtoWriter().string(1, name).message(2, type).finish();
}

/** `ValueInfoProto` of whole numbers. */
function input(name: string, shape: readonly (number | string)[]): ProtoWriter {
  const sizes = new ProtoWriter();
  for (const size of shape) {
    sizes.message(1, typeof size === "number" ? new ProtoWriter().int(1, size) : new ProtoWriter().string(2, size));
  }
  const type = new ProtoWriter().message(1, new ProtoWriter().int(1, 7).message(2, sizes));
  return new ProtoWriter().string(1, name).message(2, type);
}
