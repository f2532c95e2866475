import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { openSession } from "../../../lib/engines/onnx_sessions/open_session.ts";
import { Decoder } from "../../../lib/engines/onnx_text/decoder/decoder.ts";
import { describeDecoder } from "../../../lib/engines/onnx_text/decoder/decoder_graph.ts";
import { HostKv } from "../../../lib/engines/onnx_text/kv_places/kv_place.ts";
import { KvBuffer } from "../../../lib/engines/onnx_text/kv_places/kv_buffer.ts";
import { type OnnxFile, type OnnxNode, readOnnxFile } from "../../../lib/engines/onnx_sessions/onnx_file.ts";
import { rewriteDecoderGraph, separateNorms } from "../../../lib/engines/onnx_text/decoder/rewrite_decoder_graph.ts";
import { type Attribute, nodeMessage, tensorMessage } from "../../../lib/compute/onnx/onnx_messages.ts";
import { memoryFiles, withModelFiles } from "../../support/model_files.ts";
import { tinyPrompt } from "../../support/tiny_text_model.ts";
import { difference, plainLogits } from "./plain_decoder.ts";

const NAME = "onnx/model.onnx";
const model = onnxChatModel({ kind: "gqa", script: false });
const settings = { num_heads: 4, kv_num_heads: 2, do_rotary: 1 };

function node(
  type: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, Attribute>>,
  domain = "",
): OnnxNode {
  return { type, inputs, outputs, bytes: nodeMessage(type, domain, inputs, outputs, attributes).finish() };
}

/** The graph with every attention replaced. */
function withAttention(file: OnnxFile, replace: (node: OnnxNode) => readonly OnnxNode[]): OnnxFile {
  return { ...file, nodes: file.nodes.flatMap((one) => one.type === "GroupQueryAttention" ? replace(one) : [one]) };
}

function told(attributes: Readonly<Record<string, Attribute>>): (node: OnnxNode) => OnnxNode[] {
  return ({ type, inputs, outputs }) => [node(type, inputs, outputs, attributes, "com.microsoft")];
}

/** Queries, keys and values in one input, as exporters write them that multiply with all three matrices at once. */
function packed({ type, inputs, outputs }: OnnxNode): OnnxNode[] {
  const [query, key, value, ...rest] = inputs;
  const all = `${outputs[0]}.packed`;
  return [
    node("Concat", [query, key, value], [all], { axis: -1 }),
    node(type, [all, "", "", ...rest, "", "", ""], outputs, settings, "com.microsoft"),
  ];
}

for (const [what, replace] of [["as it is", (one: OnnxNode) => [one]], ["that is packed", packed]] as const) {
  test(`rewriteDecoderGraph() opens an attention ${what} without changing what it computes`, async () => {
    await withModelFiles(model, async (files) => {
      const tokens = tinyPrompt(70, 4);
      const expected = await plainLogits(files, NAME, tokens);
      const file = withAttention(await readOnnxFile(files, NAME), replace);
      const graph = describeDecoder(file, NAME, {});
      const { bytes, ...tailored } = rewriteDecoderGraph(file, graph, true);
      assert.ok(tailored.singles);
      const folder = files.path("onnx");
      const opened = await openSession({ bytes, folder }, { device: "cpu", threads: 1 });
      const place = new HostKv(opened.runtime, graph);
      const decoder = new Decoder({ ...opened, ...tailored, graph, place, embedder: undefined });
      const buffer = new KvBuffer(graph, 1, 1);
      await decoder.run({ buffer, lengths: [0], tokens: [tokens.slice(0, 60)], wanted: 1 });
      for (let at = 60; at < 70; at++) {
        const [[logits]] = await decoder.run({ buffer, lengths: [at], tokens: [[tokens[at]]], wanted: 1 });
        assert.ok(difference(logits, expected[at]) < 2e-5, `token ${at}`);
      }
      await decoder.close();
    });
  });
}

test("rewriteDecoderGraph() leaves attentions alone that do more than plain rotary attention", async () => {
  const file = await readOnnxFile(memoryFiles(model), NAME);
  const singles = (replace: (node: OnnxNode) => readonly OnnxNode[]) => {
    const changed = withAttention(file, replace);
    return rewriteDecoderGraph(changed, describeDecoder(changed, NAME, {}), true).singles;
  };
  assert.ok(singles(told({ ...settings, softcap: { float: 0 }, local_window_size: -1, smooth_softmax: 0 })));
  assert.ok(!singles(told({ ...settings, softcap: { float: 30 } })));
  assert.ok(!singles(told({ ...settings, local_window_size: 64 })));
  assert.ok(!singles(told({ ...settings, smooth_softmax: 1 })));
  assert.ok(!singles(told({ ...settings, not_heard_of: 1 })));
  assert.ok(!singles(told({ ...settings, kv_num_heads: 4 })));
  assert.ok(
    !singles(({ type, inputs, outputs }) => [
      node(type, [...inputs, "", "bias"], outputs, settings, "com.microsoft"),
    ]),
  );
});

test("rewriteDecoderGraph() lets layers with a window keep what is beyond it", async () => {
  const file = await readOnnxFile(memoryFiles(model), NAME);
  const windowed = withAttention(file, told({ ...settings, local_window_size: 8, sliding_window_cache: 1 }));
  const { bytes } = rewriteDecoderGraph(windowed, describeDecoder(windowed, NAME, {}), true);
  const text = new TextDecoder().decode(bytes);
  assert.ok(text.includes("local_window_size") && !text.includes("sliding_window_cache"));
});

test("rewriteDecoderGraph() takes whole caches out of the outputs", async () => {
  for (const kind of ["std", "gqa"] as const) {
    const files = memoryFiles(onnxChatModel({ kind, script: false }));
    const file = await readOnnxFile(files, NAME);
    const { bytes } = rewriteDecoderGraph(file, describeDecoder(file, NAME, {}), true);
    const tailored = await readOnnxFile(memoryFiles({ [NAME]: bytes.slice() }), NAME);
    const names = tailored.outputs.map(({ name }) => name);
    assert.equal(names.length, 1 + file.inputs.filter(({ name }) => name.startsWith("past_key_values")).length);
    assert.ok(names.slice(1).every((name) => name.startsWith("svc.new.past_key_values.")), `${names}`);
  }
});

test("separateNorms() norms queries and keys where an attention on the CPU cannot", async () => {
  await withModelFiles(model, async (files) => {
    const read = await readOnnxFile(files, NAME);
    const graph = describeDecoder(read, NAME, {});
    const { dim } = graph.kv[0];
    const raw = new Uint8Array(new Float32Array(dim).fill(0.5).buffer);
    const factor = new Uint8Array(Float32Array.of(3).buffer);
    const weights = new Map(read.weights)
      .set("norm", tensorMessage("norm", "float", [dim], raw).finish())
      .set("factor", tensorMessage("factor", "float", [1], factor).finish());
    // A norm makes no difference of how long queries are.
    const logitsOf = async (longer: boolean, normed: boolean): Promise<Float32Array> => {
      const changed = withAttention({ ...read, weights }, ({ type, inputs, outputs }) => {
        const [query, ...others] = inputs;
        const long = `${outputs[0]}.long`;
        const given = [longer ? long : query, ...others, ...normed ? ["", "", "", "", "", "norm", "norm"] : []];
        const told = { ...settings, ...normed ? { qk_norm_epsilon: { float: 1e-9 } } : {} };
        return [
          ...longer ? [node("Mul", [query, "factor"], [long], {})] : [],
          node(type, given, outputs, told, "com.microsoft"),
        ];
      });
      const { bytes, ...tailored } = rewriteDecoderGraph(separateNorms(changed), graph, true);
      const opened = await openSession({ bytes, folder: files.path("onnx") }, { device: "cpu", threads: 1 });
      const place = new HostKv(opened.runtime, graph);
      const decoder = new Decoder({ ...opened, ...tailored, graph, place, embedder: undefined });
      const buffer = new KvBuffer(graph, 1, 1);
      const [[logits]] = await decoder.run({ buffer, lengths: [0], tokens: [tinyPrompt(9, 1)], wanted: 1 });
      await decoder.close();
      return logits;
    };
    const [plain, long] = [await logitsOf(false, false), await logitsOf(true, false)];
    const [normed, longNormed] = [await logitsOf(false, true), await logitsOf(true, true)];
    assert.ok(
      difference(normed, longNormed) < 1e-4 && difference(plain, long) > 1e-3 && difference(plain, normed) > 1e-3,
    );
  });
});
