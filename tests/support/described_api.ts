import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";

/** A part of the description. */
export type Part = { readonly [key: string]: Part };

/** The API description of a server, to check answers by. */
export class DescribedApi {
  readonly description: Part;
  readonly #ajv: Ajv2020;

  /** @param text The document as JSON. */
  constructor(text: string) {
    this.description = JSON.parse(text);
    this.#ajv = new Ajv2020({
      strict: false,
      formats: {
        uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
        "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
      },
    });
    this.#ajv.addSchema(this.description, "api");
  }

  /** Fails when a value is not what the schema at a place of the description says. */
  assertMatches(pointer: string, value: unknown, what: string): void {
    const validate = this.#ajv.getSchema(`api#${encodeURI(pointer)}`);
    assert.ok(validate, `no schema at ${pointer}`);
    assert.ok(validate(value), `${what}: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
  }

  /** Whether a body is what a component of the description says. */
  matchesComponent(name: string, value: unknown): boolean {
    return this.#ajv.validate({ $ref: `api#/components/schemas/${name}` }, value) as boolean;
  }

  /**
   * Fails when an answer is not one of those that the description has for its path and method. The body can still be
   * read.
   */
  async assertDescribed(method: string, path: string, response: Response): Promise<void> {
    const what = `${method} ${path} ${response.status}`;
    const [pointer, answer] = this.#answerOf(method, path, response.status);
    assert.ok(answer, `${what} is not described`);
    for (const name of Object.keys(answer["headers"] ?? {})) {
      const value = response.headers.get(name);
      const { required } = this.description["components"]["headers"][name] as { readonly required?: unknown };
      if (value === null && required !== true) continue;
      assert.notEqual(value, null, `${what} has no header ${name}`);
      this.assertMatches(`/components/headers/${name}/schema`, value, `${what} ${name}`);
    }
    const { content } = answer;
    if (content === undefined || method === "HEAD") return assert.equal(response.body, null, `${what} has a body`);
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    assert.ok(type in content, `${what} is ${type}, expected ${Object.keys(content)}`);
    if (type !== "application/json") return;
    this.assertMatches(`${pointer}/content/application~1json/schema`, await response.clone().json(), what);
  }

  /** The described answer and its place. */
  #answerOf(method: string, path: string, status: number): [pointer: string, answer: Part | undefined] {
    const template = this.templateOf(path);
    if (template === undefined) return status === 404 ? this.#component("PathNotFound") : ["", undefined];
    const operation = this.description["paths"][template][method.toLowerCase()];
    if (operation === undefined) return status === 405 ? this.#component("MethodNotAllowed") : ["", undefined];
    const key = String(status) in operation["responses"] ? String(status) : "default";
    const answer = operation["responses"][key];
    const reference = answer?.["$ref"] as unknown as string | undefined;
    if (reference !== undefined) return this.#component(reference.split("/").at(-1)!);
    return [`/paths/${template.replaceAll("/", "~1")}/${method.toLowerCase()}/responses/${key}`, answer];
  }

  #component(name: string): [pointer: string, answer: Part] {
    return [`/components/responses/${name}`, this.description["components"]["responses"][name]];
  }

  /** The path of the description that a path of a request is one of. */
  templateOf(path: string): string | undefined {
    const parts = decodePath(path.split("?")[0]).split("/");
    return Object.keys(this.description["paths"]).find((template) => {
      const names = template.split("/");
      return names.length === parts.length && names.every((name, i) => /^\{/.test(name) ? parts[i] : name === parts[i]);
    });
  }
}

function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
