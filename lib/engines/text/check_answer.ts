/**
 * Final validation of a constrained answer.
 *
 * @module
 */
import type { FinishedAnswer } from "../../protocol/mod.ts";
import type { OutputConstraint } from "../contract/language_model.ts";
import { modernSchema } from "../output_grammar/schema/modern_schema.ts";
import { SvcError } from "../../errors/svc_error.ts";

/**
 * Validates a whole answer against its constraint, independent of constrained decoding. Calls are not validated: they
 * have been parsed already, and their arguments are the client's to check.
 *
 * @throws {SvcError} `invalid_output` when the answer is no JSON object or breaks its schema.
 */
export async function checkAnswer(constraint: OutputConstraint, { message }: FinishedAnswer): Promise<void> {
  if (constraint.kind === "tool_calls") return;
  const value = parse(message.content);
  if (constraint.kind === "json_object") {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw broken("it is not a JSON object");
    return;
  }
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    // Schemas have been validated by then, and may name any draft.
    validateSchema: false,
    logger: false,
    code: { regExp: anyText },
  });
  const validate = ajv.compile(modernSchema(constraint.schema));
  if (validate(value)) return;
  const { instancePath, message: rule } = validate.errors?.[0] ?? {};
  throw broken(`${instancePath === "" ? "it" : instancePath} ${rule}`);
}

/**
 * Patterns were enforced during decoding and are not tested again: a client's pattern can take a backtracking matcher
 * forever.
 */
const anyText = Object.assign(() => ({ test: () => true }), { code: "anyText" });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken("it is not JSON");
  }
}

function broken(why: string): SvcError {
  const message = `Cannot complete the chat: the answer does not follow "response_format", ${why}, retry`;
  return new SvcError("invalid_output", message);
}
