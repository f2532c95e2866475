import assert from "node:assert/strict";
import { test } from "node:test";
import { contextLength } from "../../../lib/engines/onnx_encoder/encoder_files.ts";

test("contextLength() is the minimum in the files", () => {
  assert.equal(contextLength({ max_position_embeddings: 512 }), 512);
  assert.equal(contextLength({ n_positions: 2048 }, { model_max_length: 8192 }), 2048);
  assert.equal(contextLength({ max_position_embeddings: 512 }, { model_max_length: 384 }), 384);
  assert.equal(contextLength({ max_position_embeddings: 512 }, {}, { max_seq_length: 256 }), 256);
  assert.equal(contextLength({ max_sequence_length: 4096 }), 4096);
});

test("contextLength() takes numbers beyond all bounds for no limit", () => {
  assert.equal(contextLength({ max_position_embeddings: 512 }, { model_max_length: 1e30 }), 512);
  assert.equal(contextLength({}, { model_max_length: 1e30 }), 512);
});

test("contextLength() leaves out the positions that a RoBERTa does not use", () => {
  const roberta = { model_type: "xlm-roberta", max_position_embeddings: 514, pad_token_id: 1 };
  assert.equal(contextLength(roberta), 512);
  assert.equal(contextLength({ ...roberta, model_type: "bert" }), 514);
  assert.equal(contextLength({ model_type: "roberta", max_position_embeddings: 1024 }), 1022);
});
