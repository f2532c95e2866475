import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RuntimeSettings } from "../../../lib/store/catalog/installed_model.ts";
import { formatSettingsFile, parseSettingsFile } from "../../../lib/store/catalog/runtime_settings.ts";

// @row model-api > Runtime settings > Stored in a settings file in the store
test("formatSettingsFile() writes sorted keys, indented, without models that have no setting", () => {
  const settings = new Map<string, RuntimeSettings>([
    ["b", { pinned: true }],
    ["none", { pinned: false }],
    ["a", { topP: 0.5, pinned: false, alias: "x", kvCacheMode: "affine4" }],
  ]);
  assert.equal(
    formatSettingsFile(settings),
    `{
  "models": {
    "a": {
      "alias": "x",
      "kvCacheModeV2": "affine4",
      "pinned": false,
      "topP": 0.5
    },
    "b": {
      "pinned": true
    }
  },
  "version": 1
}
`,
  );
});

test("parseSettingsFile() reads what formatSettingsFile() writes", () => {
  const count = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  const settings = fc.record({
    pinned: fc.constant(true),
    alias: fc.stringMatching(/^[\w.-]{1,20}$/),
    ...{ ttlSeconds: count, maxContextTokens: count, maxTokens: count },
    temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((x) => x + 0),
    kvCacheMode: fc.constantFrom("default", "affine4", "affine8", "polar2", "auto"),
  }, { requiredKeys: ["pinned"] });
  const files = fc.dictionary(fc.stringMatching(/^[a-z0-9_.-]{1,10}$/), settings);
  fc.assert(
    fc.property(files, (file) => {
      const map = new Map(Object.entries(file)) as Map<string, RuntimeSettings>;
      const plain = (some: object): unknown => JSON.parse(JSON.stringify(some));
      const read = Object.fromEntries(parseSettingsFile("f", formatSettingsFile(map)));
      assert.deepEqual(plain(read), plain(file));
    }),
    { numRuns: 200, seed: 5 },
  );
});

test("parseSettingsFile() names the file and what is wrong with it, and never takes it for empty", () => {
  const cases: [string, RegExp][] = [
    ["", /it is not JSON/],
    ["{", /it is not JSON/],
    ["[]", /it has no object "models"/],
    ["null", /it has no object "models"/],
    ['{"version":1}', /it has no object "models"/],
    ['{"version":1,"models":[]}', /it has no object "models"/],
    ['{"version":2,"models":{}}', /its version is 2, expected 1/],
    ['{"models":{}}', /its version is undefined, expected 1/],
    ['{"version":1,"models":{"m":5}}', /Cannot read the settings of m: they are 5, expected an object/],
    ['{"version":1,"models":{"m":{"topP":7}}}', /Cannot read the settings of m: "topP" is 7, expected a number from 0/],
    ['{"version":1,"models":{"m":{"colour":7}}}', /the setting "colour"/],
  ];
  for (const [text, problem] of cases) {
    assert.throws(() => parseSettingsFile("/store/settings.json", text), (error: Error & { code?: string }) => {
      assert.equal(error.code, "broken_settings");
      assert.match(
        error.message,
        /^Cannot read \/store\/settings\.json: .*; repair the file, or delete it to start over$/,
      );
      assert.match(error.message, problem);
      return true;
    });
  }
});
