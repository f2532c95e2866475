import assert from "node:assert/strict";
import type { Part } from "./described_api.ts";

/** The methods that a path of a document may have. */
export const METHODS = ["get", "head", "post", "patch", "delete", "options"];

/** Every operation of a document. */
export function operationsOf(description: Part): { path: string; method: string; operation: Part }[] {
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

/** Fails unless a document is of OpenAPI 3.1 and has what that demands. */
export function checkForm(description: Part): void {
  assert.match(String(description["openapi"]), /^3\.1\.\d$/);
  const known = ["openapi", "info", "jsonSchemaDialect", "tags", "security", "paths", "components"];
  assert.deepEqual(Object.keys(description).filter((key) => !known.includes(key)), []);
  assert.ok(String(description["info"]["title"]) && String(description["info"]["version"]));
  for (const { path, method, operation } of operationsOf(description)) {
    const what = `${method} ${path}`;
    assert.ok(String(operation["operationId"]).match(/^[a-z]\w*$/i), what);
    assert.ok(String(operation["summary"]), what);
    const responses = Object.entries(operation["responses"]);
    assert.ok(responses.some(([status]) => /^(101|[23]\d\d)$/.test(status)), what);
    for (const [status, response] of responses) {
      assert.match(status, /^(101|[2-5]\d\d|default)$/, what);
      assert.ok("$ref" in response || String(response["description"]), `${what} ${status}`);
    }
    for (const [type, media] of Object.entries(operation["requestBody"]?.["content"] ?? {})) {
      assert.match(type, /^(\*|\w+)\/[\w*.+-]+$/, what);
      assert.equal(typeof media, "object");
    }
  }
}

/** Fails unless every operation has an id of its own. */
export function checkIds(description: Part): void {
  const ids = operationsOf(description).map(({ operation }) => String(operation["operationId"]));
  assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), []);
}

/** Fails unless every reference leads somewhere. */
export function checkReferences(description: Part): void {
  const references = objects(description).map((part) => part["$ref"]).filter((ref) => ref !== undefined).map(String);
  assert.ok(references.length > 100);
  for (const reference of new Set(references)) {
    const names = reference.replace(/^#\//, "").split("/").map((name) => name.replace("~1", "/").replace("~0", "~"));
    const target = names.reduce<Part | undefined>((at, name) => at?.[name], description);
    assert.ok(target, reference);
  }
}

/** Fails unless every variable part of a path is declared. */
export function checkPathParts(description: Part): void {
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
}
