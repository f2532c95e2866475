import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { describeDecoder } from "../../../lib/engines/onnx_text/decoder/decoder_graph.ts";
import { findHead } from "../../../lib/engines/onnx_text/decoder/rewrite_decoder_graph.ts";
import { readOnnxFile } from "../../../lib/engines/onnx_sessions/onnx_file.ts";
import { nodeMessage, valueInfoMessage } from "../../../lib/compute/onnx/onnx_messages.ts";
import { ProtoWriter } from "../../../lib/compute/onnx/proto.ts";
import { memoryFiles } from "../../support/model_files.ts";

const NAME = "onnx/model.onnx";

function chatModel(options: Parameters<typeof onnxChatModel>[0]): Uint8Array {
  return onnxChatModel({ script: false, ...options })[NAME];
}

/** A model of these inputs, outputs and nodes, without weights. */
function graphOf(inputs: readonly ProtoWriter[], outputs: readonly ProtoWriter[], nodes: readonly ProtoWriter[] = []) {
  const graph = new ProtoWriter();
  for (const node of nodes) graph.message(1, node);
  for (const input of inputs) graph.message(11, input);
  for (const output of outputs) graph.message(12, output);
  return new ProtoWriter().int(1, 10).message(7, graph).finish().slice();
}

const ids = valueInfoMessage("input_ids", "int64", ["batch", "tokens"]);
const logits = valueInfoMessage("logits", "float", ["batch", "tokens", 9]);
const past = (name: string, shape: readonly (number | string)[] = ["batch", 2, "past", 4]) =>
  valueInfoMessage(name, "float", shape);

test("readOnnxFile() leaves large weights in the file", async () => {
  const bytes = chatModel({ kind: "gqa", sizes: { hidden: 128, ffn: 256 } });
  const read: number[] = [];
  const files = memoryFiles({ [NAME]: bytes });
  const file = await readOnnxFile({
    ...files,
    readPart: (name, start, length) => {
      read.push(length);
      return files.readPart(name, start, length);
    },
  }, NAME);
  const kept = [...file.weights.values()].reduce((sum, weight) => sum + weight.length, 0);
  assert.ok(bytes.length > 1_000_000 && kept < 200_000, `${bytes.length} ${kept}`);
  assert.ok(read.length < 10, `${read}`);
  assert.deepEqual(file.inputs.map(({ name }) => name).slice(0, 2), ["input_ids", "attention_mask"]);
  assert.deepEqual(file.inputs[2].shape.filter((size) => typeof size === "number"), [2, 32]);
});

test("readOnnxFile() says of a file that was cut off where it ends", async () => {
  const whole = chatModel({});
  for (const length of [0, 1, 100, whole.length >> 1, whole.length - 1]) {
    const files = memoryFiles({ [NAME]: whole.slice(0, length) });
    await assert.rejects(
      readOnnxFile(files, NAME),
      /^Error: Cannot read onnx\/model\.onnx: .+, expected a complete ONNX model$/,
    );
  }
});

test("readOnnxFile() refuses bytes that are not a model", async () => {
  for (
    const bytes of [
      new Uint8Array(64).fill(255),
      new TextEncoder().encode("version https://git-lfs"),
      new Uint8Array(9),
    ]
  ) {
    await assert.rejects(readOnnxFile(memoryFiles({ [NAME]: bytes }), NAME), /Cannot read onnx\/model\.onnx/);
  }
});

test("readOnnxFile() never throws anything but its own errors on broken bytes", async () => {
  const whole = chatModel({ kind: "gqa" });
  for (let i = 0; i < 200; i++) {
    const bytes = whole.slice();
    bytes[(i * 7919) % 4000] ^= 1 + (i % 255);
    await readOnnxFile(memoryFiles({ [NAME]: bytes }), NAME).catch((error: Error) => {
      assert.match(error.message, /^Cannot read onnx\/model\.onnx: /);
    });
  }
});

test("readOnnxFile() takes weights from files of the model only", async () => {
  const external = (location: string) => {
    const entry = new ProtoWriter().string(1, "location").string(2, location);
    const weight = new ProtoWriter().int(1, 4).int(2, 1).string(8, "w").message(13, entry).int(14, 1);
    return new ProtoWriter().message(7, new ProtoWriter().message(5, weight)).finish().slice();
  };
  const read = (location: string) =>
    readOnnxFile(memoryFiles({ [NAME]: external(location), "onnx/model.onnx_data": "", "secret": "" }), NAME);
  assert.equal((await read("model.onnx_data")).weights.size, 1);
  for (const location of ["../secret", "/etc/passwd", "x/../../secret", "missing_data", ""]) {
    await assert.rejects(read(location), /its weights are in ".*", expected a file of the model's folder/, location);
  }
});

for (
  const [what, bytes, message] of [
    ["without logits", graphOf([ids], [ids]), /its graph has no "logits"/],
    ["without a cache", graphOf([ids], [logits]), /has no "past_key_values", expected a decoder with a cache/],
    ["with another state", graphOf([ids, past("past_memory.0")], [logits]), /its input "past_memory\.0" is not/],
    ["that forgets a state", graphOf([ids, past("past_conv.0")], [logits]), /no output "present_conv\.0"/],
    [
      "with a state of unknown size",
      graphOf([ids, past("past_ssm.0", ["b", 4, "n"])], [logits, past("present_ssm.0")]),
      /"past_ssm\.0" has the shape \[b, 4, n\], expected/,
    ],
    [
      "with a state of any size",
      graphOf([ids, past("past_ssm.0", ["b", 2 ** 20, 2 ** 20])], [logits, past("present_ssm.0")]),
      /"past_ssm\.0" has the shape/,
    ],
    ["that keeps nothing", graphOf([ids, past("past_key_values.0.key")], [logits]), /no output "present\.0\.key"/],
    [
      "of unknown sizes",
      graphOf([ids, past("past_key_values.0.key", ["b", "h", "p", 4])], [logits, past("present.0.key")]),
      /"past_key_values\.0\.key" has the shape \[b, h, p, 4\], of unknown heads with 4 numbers, expected/,
    ],
  ] as const
) {
  test(`describeDecoder() says why it does not run a graph ${what}`, async () => {
    const file = await readOnnxFile(memoryFiles({ [NAME]: bytes }), NAME);
    assert.throws(() => describeDecoder(file, NAME, {}), message);
  });
}

test("describeDecoder() takes sizes missing in a graph from config.json", async () => {
  const shape = ["batch", "heads", "past", "dim"];
  const bytes = graphOf([ids, past("past_key_values.0.key", shape)], [logits, past("present.0.key")]);
  const file = await readOnnxFile(memoryFiles({ [NAME]: bytes }), NAME);
  const sizes = (config: Record<string, unknown>) => {
    const [{ heads, dim }] = describeDecoder(file, NAME, config).kv;
    return [heads, dim];
  };
  assert.deepEqual(sizes({ num_attention_heads: 8, num_key_value_heads: 2, hidden_size: 256 }), [2, 32]);
  assert.deepEqual(sizes({ num_attention_heads: 8, hidden_size: 256, head_dim: 48 }), [8, 48]);
  assert.deepEqual(sizes({ n_head: 4, n_embd: 64 }), [4, 16]);
  assert.deepEqual(sizes({ text_config: { num_attention_heads: 4, hidden_size: 64 } }), [4, 16]);
});

test("findHead() goes back to the projected value, through operations on single tokens", async () => {
  const head = async (nodes: readonly ProtoWriter[]) => {
    const bytes = graphOf([ids], [logits], nodes);
    return findHead(await readOnnxFile(memoryFiles({ [NAME]: bytes }), NAME))?.hidden;
  };
  const node = (type: string, inputs: readonly string[], output: string) => nodeMessage(type, "", inputs, [output], {});
  const constant = node("Constant", [], "scale");
  assert.equal(await head([constant, node("MatMul", ["h", "w"], "y"), node("Mul", ["y", "scale"], "logits")]), "h");
  const cap = [node("Div", ["y", "scale"], "a"), node("Tanh", ["a"], "b"), node("Cast", ["b"], "logits")];
  assert.equal(await head([constant, node("MatMul", ["h", "w"], "y"), ...cap]), "h");
  assert.equal(await head([node("MatMul", ["h", "w"], "y"), node("Softmax", ["y"], "logits")]), undefined);
  const both = [node("MatMul", ["h", "w"], "y"), node("MatMul", ["g", "w"], "z"), node("Add", ["y", "z"], "logits")];
  assert.equal(await head(both), undefined);
  const used = [node("MatMul", ["h", "w"], "y"), node("Identity", ["y"], "logits"), node("Relu", ["y"], "x")];
  assert.equal(await head(used), undefined);
});
