import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ChatModelProfile } from "../../../lib/engines/contract/model_profile.ts";
import type { InstalledModel } from "../../../lib/store/catalog/installed_model.ts";
import { formatModelRecord, parseModelRecord } from "../../../lib/store/catalog/model_record.ts";
import { parseSettingsFile } from "../../../lib/store/catalog/runtime_settings.ts";
import { NEUTRAL_SAMPLING } from "../../../lib/protocol/mod.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const profile: ChatModelProfile = {
  kind: "chat",
  engine: "onnx-text",
  context: 4096,
  maxOutputTokens: undefined,
  capabilities: {
    features: new Set(["tools", "seed"]),
    reasoning: { optional: true, levels: ["low", "high"], levelMap: { minimal: "low" } },
  },
  sampling: { ...NEUTRAL_SAMPLING, temperature: 0.6, logitBias: new Map([[7, -100]]) },
  kvCacheModes: ["affine8"],
};
const model: InstalledModel = {
  id: "qwen3",
  task: "chat.completions",
  folder: "/store/qwen3",
  files: [{ path: "onnx/model_q4.onnx", bytes: 5, sha256: "ab".repeat(32) }],
  bytes: 5,
  installedAt: "2026-01-01T00:00:00.000Z",
  source: { repository: "a/b", revision: "c".repeat(40) },
  license: "MIT",
  profile,
};

test("parseModelRecord() reads what formatModelRecord() writes", () => {
  const { source: _, license: __, profile: ___, ...bare } = model;
  const models: InstalledModel[] = [
    model,
    bare,
    {
      ...model,
      profile: { ...profile, maxOutputTokens: 256, capabilities: { ...profile.capabilities, reasoning: undefined } },
    },
    {
      ...model,
      task: "embeddings",
      profile: { kind: "embedding", engine: "onnx-embedding", context: 512, dimensions: 384 },
    },
    { ...model, task: "rerank", profile: { kind: "rerank", engine: "onnx-rerank", context: 512 } },
  ];
  for (const one of models) {
    assert.deepEqual(parseModelRecord(one.id, "/store/qwen3", formatModelRecord(one, false)), one);
  }
});

test("formatModelRecord() keeps the folder of linked files only, so that a store can be moved", () => {
  const copied = formatModelRecord(model, false);
  assert.equal(parseModelRecord("qwen3", "/elsewhere/qwen3", copied).folder, "/elsewhere/qwen3");
  const linked = formatModelRecord({ ...model, folder: "/home/me/qwen3" }, true);
  assert.equal(parseModelRecord("qwen3", "/store/qwen3", linked).folder, "/home/me/qwen3");
});

test("parseModelRecord() says what is wrong with a record, and how to continue", () => {
  const good = JSON.parse(formatModelRecord(model, false));
  const cases: [unknown, RegExp][] = [
    [[], /./],
    [{ ...good, version: 2 }, /"version" is 2, expected 1/],
    [{ ...good, task: "dance" }, /"task" is "dance", expected one of chat\.completions, embeddings/],
    [{ ...good, bytes: -1 }, /"bytes" is -1, expected at least 0/],
    [{ ...good, files: undefined }, /"files" is missing/],
    [
      { ...good, files: [{ ...good.files[0], path: "../x" }] },
      /"files\[0\]\.path" is "\.\.\/x", expected a path below/,
    ],
    [{ ...good, files: [{ ...good.files[0], sha256: "AB" }] }, /"files\[0\]\.sha256" is "AB", expected a SHA-256/],
    [
      { ...good, profile: { ...good.profile, engine: "steam" } },
      /"profile\.engine" is "steam", expected what svc model add writes in its svc-model\.json;/,
    ],
    [{ ...good, profile: { kind: "dance" } }, /profile/],
  ];
  for (const [record, problem] of cases) {
    const text = JSON.stringify(record);
    assert.throws(() => parseModelRecord("qwen3", "/store/qwen3", text), (error: Error & { code?: string }) => {
      assert.equal(error.code, "broken_record");
      assert.match(error.message, /^Cannot use the model qwen3: /);
      assert.match(error.message, problem);
      assert.match(error.message, /; remove it with svc model rm qwen3, then add it again$/);
      return true;
    });
  }
  assert.throws(() => parseModelRecord("qwen3", "/store/qwen3", "{"), {
    message: /its svc-model\.json is not JSON; remove/,
  });
});

test("parseModelRecord() and parseSettingsFile() throw nothing but store errors, whatever a file holds", () => {
  const good = JSON.parse(formatModelRecord(model, false));
  const keys = fc.constantFrom(...Object.keys(good), ...Object.keys(good.profile), "alias", "pinned", "topP");
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, "chat", "onnx-text", 1, -1, 0.5, true, good.profile, good.files, good.source),
      fc.jsonValue(),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(keys, tie("any"), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(keys, value, (key, replaced) => {
      const texts = [JSON.stringify({ ...good, [key]: replaced }), JSON.stringify(replaced)];
      const settings = JSON.stringify({ version: 1, models: { m: replaced } });
      const parses = [
        ...texts.map((text) => () => parseModelRecord("m", "/store/m", text)),
        ...[settings, ...texts].map((text) => () => parseSettingsFile("f", text)),
      ];
      for (const parse of parses) {
        try {
          parse();
        } catch (error) {
          assert.ok(error instanceof SvcError, String(error));
          assert.doesNotMatch(error.message, /undefined|\[object|Invalid/, error.message);
        }
      }
    }),
    { numRuns: 1000, seed: 11 },
  );
});
