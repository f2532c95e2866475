import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openApiText } from "../../lib/http/openapi.generated.ts";
import { readTransitionRequest } from "../../lib/world/transition_request.ts";
import { readRolloutRequest } from "../../lib/world/rollout_request.ts";
import { generateOpenApi } from "../../scripts/generate_openapi.ts";
import { description, matchesComponent, type Part } from "../support/api_description.ts";
import { ROLLOUT, transition, worldHarness } from "../support/world_harness.ts";

const METHODS = ["get", "head", "post", "delete", "options"];

function operations(): { path: string; method: string; operation: Part }[] {
  return Object.entries(description["paths"]).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ path, method, operation: item[method] }))
  );
}

/** Every object within a part of the document. */
function objects(part: unknown): Part[] {
  if (typeof part !== "object" || part === null) return [];
  const inner = Object.values(part).flatMap(objects);
  return Array.isArray(part) ? inner : [part as Part, ...inner];
}

test("openapi.generated.ts is what the schemas say now", () => {
  const file = readFileSync(new URL("../../lib/http/openapi.generated.ts", import.meta.url), "utf8");
  assert.equal(file, generateOpenApi(), "run node --import tsx scripts/generate_openapi.ts");
});

test("GET /openapi.json answers with the document", async () => {
  const h = await worldHarness();
  try {
    const response = await h.call("GET", "/openapi.json");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(await response.text(), openApiText);
    assert.deepEqual(h.model.calls, []);
  } finally {
    await h.close();
  }
});

test("the document is of OpenAPI 3.1 and has what that demands", () => {
  assert.match(String(description["openapi"]), /^3\.1\.\d$/);
  const known = ["openapi", "info", "jsonSchemaDialect", "tags", "security", "paths", "components"];
  assert.deepEqual(Object.keys(description).filter((key) => !known.includes(key)), []);
  assert.ok(String(description["info"]["title"]) && String(description["info"]["version"]));
  for (const { path, method, operation } of operations()) {
    const what = `${method} ${path}`;
    assert.ok(String(operation["operationId"]).match(/^[a-z]\w*$/i), what);
    assert.ok(String(operation["summary"]), what);
    const responses = Object.entries(operation["responses"]);
    assert.ok(responses.some(([status]) => /^[23]\d\d$/.test(status)), what);
    for (const [status, response] of responses) {
      assert.match(status, /^([2-5]\d\d|default)$/, what);
      assert.ok("$ref" in response || String(response["description"]), `${what} ${status}`);
    }
    for (const [type, media] of Object.entries(operation["requestBody"]?.["content"] ?? {})) {
      assert.match(type, /^(\*|\w+)\/[\w*.+-]+$/, what);
      assert.equal(typeof media, "object");
    }
  }
});

test("every operation of the document has an id of its own", () => {
  const ids = operations().map(({ operation }) => String(operation["operationId"]));
  assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), []);
});

test("every reference of the document leads somewhere", () => {
  const references = objects(description).map((part) => part["$ref"]).filter((ref) => ref !== undefined).map(String);
  assert.ok(references.length > 100);
  for (const reference of new Set(references)) {
    const names = reference.replace(/^#\//, "").split("/").map((name) => name.replace("~1", "/").replace("~0", "~"));
    const target = names.reduce<Part | undefined>((at, name) => at?.[name], description);
    assert.ok(target, reference);
  }
});

test("every part of a path of the document is declared", () => {
  for (const [path, item] of Object.entries(description["paths"])) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = Object.values(item["parameters"] ?? {}).map((parameter) => {
      assert.equal(String(parameter["in"]), "path");
      assert.equal(String(parameter["required"]), "true");
      assert.ok(parameter["schema"]);
      return String(parameter["name"]);
    });
    assert.deepEqual(declared, names, path);
  }
});

test("the document wants a token where the server does", async () => {
  const h = await worldHarness({ apiKey: "key", page: { html: "h", script: "s", style: "c", icon: "i" } });
  try {
    const id = "00000000-0000-4000-8000-000000000000";
    for (const { path, method, operation } of operations()) {
      const open = JSON.stringify(operation["security"]) === "[]";
      const real = path.replace("{id}", id).replace("{index}", "0");
      const { status } = await h.call(method.toUpperCase(), real);
      assert.equal(status === 401, !open, `${method} ${path}`);
    }
  } finally {
    await h.close();
  }
});

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
