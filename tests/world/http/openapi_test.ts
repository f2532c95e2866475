import assert from "node:assert/strict";
import { unpackText } from "../../../lib/http/packed_text.ts";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { packedOpenApi } from "../../../lib/world/http/openapi.generated.ts";
import { readTransitionRequest } from "../../../lib/world/protocol/requests/transition_request.ts";
import { readRolloutRequest } from "../../../lib/world/protocol/requests/rollout_request.ts";
import { generatedFiles } from "../../../scripts/generate_openapi.ts";
import { description, matchesComponent } from "../../support/api_description.ts";
import {
  checkForm,
  checkIds,
  checkPathParts,
  checkReferences,
  METHODS,
  operationsOf,
} from "../../support/document_checks.ts";
import { ROLLOUT, transition, worldHarness } from "../../support/world_harness.ts";

for (const { name, text } of generatedFiles) {
  test(`${name} is what its sources say now`, async () => {
    const file = readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
    // DEFLATE has several forms of the same text, which depend on the library.
    const parts = async (module: string) => {
      const packed = /"([\w+/=]+)"/.exec(module)![1];
      return [module.replace(packed, ""), await unpackText(packed)];
    };
    assert.deepEqual(await parts(file), await parts(text()), "run node --import tsx scripts/generate_openapi.ts");
  });
}

// @row world-session > Endpoints > `GET /openapi.json`
test("GET /openapi.json answers with the document", async () => {
  const h = await worldHarness();
  try {
    const response = await h.call("GET", "/openapi.json");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(await response.text(), await unpackText(packedOpenApi));
    assert.deepEqual(h.model.calls, []);
  } finally {
    await h.close();
  }
});

test("the document is of OpenAPI 3.1 and has what that demands", () => checkForm(description));

test("every operation of the document has an id of its own", () => checkIds(description));

test("every reference of the document leads somewhere", () => checkReferences(description));

test("every part of a path of the document is declared", () => checkPathParts(description));

test("the document requires a token where the server does", async () => {
  const h = await worldHarness({ apiKey: "key", page: { html: "h", script: "s", style: "c", icon: "i" } });
  try {
    const id = "00000000-0000-4000-8000-000000000000";
    for (const { path, method, operation } of operationsOf(description)) {
      const open = JSON.stringify(operation["security"]) === "[]";
      const real = path.replace("{id}", id).replace("{index}", "0");
      const { status } = await h.call(method.toUpperCase(), real);
      assert.equal(status === 401, !open, `${method} ${path}`);
    }
  } finally {
    await h.close();
  }
});

// @row world-session > Endpoints > `GET /openapi.json`
// @row world-session > Versions > Paths begin with `/v1`
test("the document has every route of the server and no other", async () => {
  const h = await worldHarness({ page: { html: "h", script: "s", style: "c", icon: "i" } });
  try {
    for (const [path, item] of Object.entries(description["paths"])) {
      const response = await h.call("OPTIONS", path.replace("{id}", "x").replace("{index}", "0"));
      const allowed = response.headers.get("allow")?.toLowerCase().split(", ") ?? [];
      assert.deepEqual(allowed.sort(), METHODS.filter((method) => method in item).sort(), path);
    }
  } finally {
    await h.close();
  }
});

const camera = { motion: "custom", translationMeters: [0.5, 0, 1], rotation_degrees: [1, -2.5, 0] };
const bodies: [component: string, read: (body: unknown) => unknown, body: Record<string, unknown>, fits: boolean][] = [
  ["RolloutRequest", readRolloutRequest, ROLLOUT, true],
  ["RolloutRequest", readRolloutRequest, { prompt: "p", actionSeq: ["W L"], numOutputFrames: 3 }, true],
  ["RolloutRequest", readRolloutRequest, { ...ROLLOUT, seed: "18446744073709551615", speed: 0.25 }, true],
  ["RolloutRequest", readRolloutRequest, { prompt: "p", action_seq: ["w"], actionSeq: ["w"] }, false],
  ["RolloutRequest", readRolloutRequest, { prompt: "p", action_seq: ["x"] }, false],
  ["RolloutRequest", readRolloutRequest, { prompt: "p", action_seq: [] }, false],
  ["RolloutRequest", readRolloutRequest, { action_seq: ["w"] }, false],
  ["RolloutRequest", readRolloutRequest, { ...ROLLOUT, num_output_frames: 4 }, false],
  ["RolloutRequest", readRolloutRequest, { ...ROLLOUT, width: 1312 }, false],
  ["RolloutRequest", readRolloutRequest, { ...ROLLOUT, seed: -1 }, false],
  ["RolloutRequest", readRolloutRequest, { ...ROLLOUT, speed: 0 }, false],
  ["RolloutRequest", readRolloutRequest, { ...ROLLOUT, fps: 241 }, false],
  ["RolloutRequest", readRolloutRequest, { ...ROLLOUT, nothing: 1 }, false],
  ["TransitionRequest", readTransitionRequest, transition("forward"), true],
  ["TransitionRequest", readTransitionRequest, { prompt: "", camera, guidanceScale: 0, shift: 5, steps: 1 }, true],
  ["TransitionRequest", readTransitionRequest, { prompt: "p", camera: { ...camera, motion: "fly" } }, false],
  ["TransitionRequest", readTransitionRequest, { prompt: "p", camera: { ...camera, rotation_degrees: [0, 0] } }, false],
  ["TransitionRequest", readTransitionRequest, { prompt: "p", camera: { motion: "hold" } }, false],
  ["TransitionRequest", readTransitionRequest, { prompt: "p" }, false],
  ["TransitionRequest", readTransitionRequest, { prompt: "p", camera, model_space_actions: [] }, false],
  ["TransitionRequest", readTransitionRequest, { prompt: "p", camera, steps: 0 }, false],
  ["TransitionRequest", readTransitionRequest, { prompt: "p", camera, num_frames: 0 }, false],
];
for (const [component, read, body, fits] of bodies) {
  test(`${component} of the document and the server agree on ${JSON.stringify(body)}`, () => {
    assert.equal(matchesComponent(component, body), fits);
    if (fits) read(body);
    else assert.throws(() => read(body));
  });
}
