import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDraftModel, draftModelOf } from "../../../lib/store/catalog/resolve_model.ts";
import { refusal, withApi } from "../../support/api_harness.ts";
import { chatProfile, installed } from "../../support/fake_catalog.ts";

const GIB = 2 ** 30;
const gguf = chatProfile({ engine: "gguf-text" });
const big = installed("big", "chat.completions", gguf, { bytes: 60 * GIB });
const small = installed("small", "chat.completions", gguf, { bytes: 30 * GIB });
const onnx = installed("onnx", "chat.completions", chatProfile());
const embed = installed("embed", "embeddings");
const models = [big, small, onnx, embed];

// @row model-api > Runtime settings > `draftModel`: a smaller model that drafts, with the same answers
test("checkDraftModel() takes a smaller installed GGUF model, and nothing else", () => {
  const check = (draftModel: string, model = big) => () =>
    checkDraftModel(model.id, model, { pinned: false, draftModel }, models);
  check("small")();
  const refused: [() => void, RegExp][] = [
    [check("nobody"), /^Cannot change the settings of big: "draftModel" is "nobody", which is not installed, expected/],
    [check("big"), /no smaller than big, expected a smaller model$/],
    [check("big", small), /no smaller than small/],
    [check("onnx"), /whose engine is onnx-text, expected a chat model of gguf-text$/],
    [check("embed"), /whose engine is none/],
    [check("small", onnx), /the engine of onnx is onnx-text, expected a draft for gguf-text only$/],
    [
      () => checkDraftModel("known", undefined, { pinned: false, draftModel: "small" }, models),
      /expected the model that it drafts for to be installed$/,
    ],
  ];
  for (const [act, message] of refused) {
    assert.throws(act, { code: "invalid_settings", param: "draftModel", message });
  }
});

test("draftModelOf() refuses a load whose draft model has gone", () => {
  const settings = { pinned: false, draftModel: "small" };
  assert.equal(draftModelOf(big, settings, models), small);
  assert.equal(draftModelOf(onnx, settings, models), undefined);
  assert.equal(draftModelOf(big, { pinned: false }, models), undefined);
  const message = /^Cannot load model big: its draft model is "small", which is not installed, .*--clear-draft-model/;
  assert.throws(() => draftModelOf(big, settings, [big]), { code: "model_unavailable", message });
});

test("a draft model counts in the memory of its model, and is named when it has gone", () =>
  withApi({ models: [big, small], defaultModel: "" }, async (h) => {
    h.usedGib = 20;
    const load = () => h.call("POST", "/runtime/models/big/load");
    h.catalog.stored.set("big", { pinned: false, draftModel: "small" });
    const { message } = await refusal(await load(), 503, "memory_pressure");
    assert.match(message, /it needs 90 GiB/);
    h.usedGib = 1;
    h.catalog.models = [big];
    const gone = await refusal(await load(), 503, "model_unavailable");
    assert.match(gone.message, /its draft model is "small", which is not installed/);
    h.catalog.models = [big, small];
    assert.equal((await load()).status, 200);
    const status = await (await h.call("GET", "/runtime/status")).json();
    assert.equal(status.models.find(({ id }: { id: string }) => id === "big").draftModel, "small");
  }));
