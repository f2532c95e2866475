import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { openApiText } from "../../lib/http/openapi.generated.ts";

/** A part of the description. */
export type Part = { readonly [key: string]: Part };

/** The API description that the server answers with. */
export const description: Part = JSON.parse(openApiText);

const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  },
});
ajv.addSchema(description, "api");

/** Fails when a value is not what the schema at a place of the description says. */
export function assertMatches(pointer: string, value: unknown, what: string): void {
  const validate = ajv.getSchema(`api#${encodeURI(pointer)}`);
  assert.ok(validate, `no schema at ${pointer}`);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}

/** Whether a body is what a component of the description says. */
export function matchesComponent(name: string, value: unknown): boolean {
  return ajv.validate({ $ref: `api#/components/schemas/${name}` }, value) as boolean;
}

/** Fails when an answer is none of those that the description has for its path and method. The body can still be read. */
export async function assertDescribed(method: string, path: string, response: Response): Promise<void> {
  const what = `${method} ${path} ${response.status}`;
  const [pointer, answer] = answerOf(method, path, response.status);
  assert.ok(answer, `${what} is not described`);
  for (const name of Object.keys(answer["headers"] ?? {})) {
    const value = response.headers.get(name);
    assert.notEqual(value, null, `${what} has no header ${name}`);
    assertMatches(`/components/headers/${name}/schema`, value, `${what} ${name}`);
  }
  const { content } = answer;
  if (content === undefined || method === "HEAD") return assert.equal(response.body, null, `${what} has a body`);
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  assert.ok(type in content, `${what} is ${type}, expected ${Object.keys(content)}`);
  if (type !== "application/json") return;
  assertMatches(`${pointer}/content/application~1json/schema`, await response.clone().json(), what);
}

/** The described answer and where it stands. */
function answerOf(method: string, path: string, status: number): [pointer: string, answer: Part | undefined] {
  const template = templateOf(path);
  if (template === undefined) return status === 404 ? component("PathNotFound") : ["", undefined];
  const operation = description["paths"][template][method.toLowerCase()];
  if (operation === undefined) return status === 405 ? component("MethodNotAllowed") : ["", undefined];
  const key = String(status) in operation["responses"] ? String(status) : "default";
  const answer = operation["responses"][key];
  const reference = answer?.["$ref"] as unknown as string | undefined;
  if (reference !== undefined) return component(reference.split("/").at(-1)!);
  return [`/paths/${template.replaceAll("/", "~1")}/${method.toLowerCase()}/responses/${key}`, answer];
}

function component(name: string): [pointer: string, answer: Part] {
  return [`/components/responses/${name}`, description["components"]["responses"][name]];
}

/** The path of the description that a path of a request is one of. */
export function templateOf(path: string): string | undefined {
  const parts = decodePath(path.split("?")[0]).split("/");
  return Object.keys(description["paths"]).find((template) => {
    const names = template.split("/");
    return names.length === parts.length && names.every((name, i) => /^\{/.test(name) ? parts[i] : name === parts[i]);
  });
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
