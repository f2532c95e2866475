/**
 * The body of an embeddings request.
 *
 * @module
 */
import * as v from "valibot";
import { listField } from "../../../json/bounded_fields.ts";
import type { FieldRefusal } from "../../../errors/field_refusal.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import { bodyRules, readFields } from "../read_fields.ts";
import { INPUT_TYPES, type PromptChoice } from "./embedding_prompt.ts";
import { modelField } from "../model_field.ts";
import { MAX_TEXT_BYTES, MAX_TEXTS, utf8Bytes } from "./text_batch.ts";

/** A validated embeddings request. */
export interface EmbeddingRequest {
  /** Id or alias of a model, or the path of one. */
  readonly model: string;
  readonly texts: readonly string[];
  /** What it says about the model's prompts. */
  readonly prompt: PromptChoice;
  readonly warnings: readonly string[];
}

const ACTION = "embed the texts";

const inputExpected = `expected a string or an array of 1 to ${MAX_TEXTS} strings`;
const list = listField(v.string("expected a string"), { min: 1, max: MAX_TEXTS, expected: inputExpected });

const typeExpected = `expected one of ${INPUT_TYPES.join(", ")}`;
const promptExpected = "expected the name of a prompt of the model";

const entries = {
  model: modelField,
  input: v.lazy((value) => Array.isArray(value) ? list : v.string(inputExpected)) as v.GenericSchema<
    unknown,
    string | string[]
  >,
  encoding_format: v.optional(v.unknown()),
  input_type: v.nullish(
    v.pipe(v.string(typeExpected), v.check((type) => INPUT_TYPES.some((known) => known === type), typeExpected)),
  ),
  prompt_name: v.nullish(v.pipe(v.string(promptExpected), v.maxLength(256, promptExpected))),
  user: v.nullish(v.string("expected a string")),
};

const leaveOut = "expected no such field";

/** Fields of other servers that would change the vectors. */
const refusals: readonly FieldRefusal[] = [
  {
    field: "encoding_format",
    neutral: ["float", ""],
    remedy: 'expected "float": set it explicitly in clients that default to base64, such as those of OpenAI',
  },
  { field: "dimensions", remedy: "expected no such field: the model determines the length of its vectors" },
  { field: /^(output_dimension|output_dtype|embedding_types?)$/, remedy: leaveOut },
  { field: /^(normalized?|pooling)$/, remedy: "expected no such field: the model's configuration determines it" },
  { field: /^(truncat(e|ion)|truncate_prompt_tokens)$/, neutral: [false], remedy: "texts are never truncated" },
  { field: /^(task|prompt|instruction)$/, remedy: "include them in the texts, or give prompt_name or input_type" },
  { field: "late_chunking", neutral: [false], remedy: leaveOut },
];

const rules = bodyRules(ACTION, entries, refusals);

/**
 * Validates the parsed JSON body of an embeddings request.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readEmbeddingRequest(body: unknown): EmbeddingRequest {
  const { fields, warnings } = readFields(body, rules);
  const texts = typeof fields.input === "string" ? [fields.input] : fields.input;
  const bytes = texts.reduce((sum, text) => sum + utf8Bytes(text), 0);
  if (bytes > MAX_TEXT_BYTES) {
    const message = `Cannot ${ACTION}: "input" has ${bytes} bytes of UTF-8, expected at most ${MAX_TEXT_BYTES}`;
    throw invalidField("input", message);
  }
  const prompt = {
    inputType: INPUT_TYPES.find((type) => type === fields.input_type),
    promptName: fields.prompt_name ?? undefined,
  };
  return { model: fields.model, texts, prompt, warnings };
}
