/**
 * The bodies of embedding and rerank requests, and the limits of their texts.
 *
 * @module
 */
import * as v from "valibot";
import { listField } from "../../../json/bounded_fields.ts";
import { refusing } from "../../../errors/declared_members.ts";
import type { FieldRefusal } from "../../../errors/field_refusal.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import { bodyRules, readFields } from "../../../errors/read_fields.ts";
import { modelField } from "../form_fields.ts";
import { INPUT_TYPES, type PromptChoice } from "./embedding_prompt.ts";

/** Maximum number of texts of a request. */
export const MAX_TEXTS = 256;

/** Maximum number of UTF-8 bytes of all texts of a request. */
export const MAX_TEXT_BYTES: number = 2 * 2 ** 20;

/** UTF-8 length of a text; a lone surrogate becomes a replacement character, as in encoders. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

/** A validated embeddings request. */
export interface EmbeddingRequest {
  /** Id or alias of a model, or the path of one. */
  readonly model: string;
  readonly texts: readonly string[];
  /** Whether there is one text, and no list. */
  readonly isAlone: boolean;
  /** What it says about the model's prompts. */
  readonly prompt: PromptChoice;
  readonly warnings: readonly string[];
}

const EMBED = "embed the texts";

const inputExpected = `expected a string or an array of 1 to ${MAX_TEXTS} strings`;
const list = listField(v.string("expected a string"), { min: 1, max: MAX_TEXTS, expected: inputExpected });

const typeExpected = `expected one of ${INPUT_TYPES.join(", ")}`;
const promptExpected = "expected the name of a prompt of the model";

const embeddingFields = {
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
const embeddingRefusals: readonly FieldRefusal[] = [
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

const embeddingRules = bodyRules(EMBED, embeddingFields, embeddingRefusals);

/**
 * Validates the parsed JSON body of an embeddings request.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readEmbeddingRequest(body: unknown): EmbeddingRequest {
  const { fields, warnings } = readFields(body, embeddingRules);
  const texts = typeof fields.input === "string" ? [fields.input] : fields.input;
  const bytes = texts.reduce((sum, text) => sum + utf8Bytes(text), 0);
  if (bytes > MAX_TEXT_BYTES) {
    const message = `Cannot ${EMBED}: "input" has ${bytes} bytes of UTF-8, expected at most ${MAX_TEXT_BYTES}`;
    throw invalidField("input", message);
  }
  const prompt = {
    inputType: INPUT_TYPES.find((type) => type === fields.input_type),
    promptName: fields.prompt_name ?? undefined,
  };
  return { model: fields.model, texts, isAlone: typeof fields.input === "string", prompt, warnings };
}

/** A validated rerank request. */
export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  readonly documents: readonly string[];
  /** Number of results; undefined for all. */
  readonly topN: number | undefined;
  readonly returnDocuments: boolean;
  readonly warnings: readonly string[];
}

const RERANK = "rerank the documents";

const documentExpected = "expected a string or an object with text";
const documentText = v.pipe(
  refusing(v.object({ text: v.string("expected a string") }), [
    { field: /^(image|audio|video)s?(_url)?$/, remedy: "expected text only" },
  ]),
  v.transform(({ text }) => text),
);
const document = v.lazy((value) =>
  typeof value === "object" && value !== null ? documentText : v.string(documentExpected)
) as v.GenericSchema<unknown, string>;
const documentsExpected = `expected an array of 1 to ${MAX_TEXTS} documents`;
const topExpected = "expected an integer of at least 1";

const rerankFields = {
  model: modelField,
  query: v.pipe(v.string("expected a string"), v.minLength(1, "expected a non-empty string")),
  documents: listField(document, { min: 1, max: MAX_TEXTS, expected: documentsExpected }),
  top_n: v.nullish(v.pipe(v.number(topExpected), v.safeInteger(topExpected), v.minValue(1, topExpected))),
  return_documents: v.nullish(v.boolean("expected true or false"), false),
  user: v.nullish(v.string("expected a string")),
};

/** Fields of other servers that would change the ranking. */
const rerankRefusals: readonly FieldRefusal[] = [
  { field: /^(truncat(e|ion)|truncate_prompt_tokens)$/, neutral: [false], remedy: "documents are never truncated" },
  { field: /^max_(tokens_per_doc|chunks_per_doc)$/, remedy: "documents are never cut" },
  { field: "rank_fields", neutral: [["text"]], remedy: 'expected ["text"]' },
  { field: "instruction", remedy: "include it in the query" },
  { field: "raw_scores", neutral: [false], remedy: "expected no such field: scores are between 0 and 1" },
];

const rerankRules = bodyRules(RERANK, rerankFields, rerankRefusals);

/**
 * Validates the parsed JSON body of a rerank request.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readRerankRequest(body: unknown): RerankRequest {
  const { fields: { model, query, documents, top_n, return_documents }, warnings } = readFields(body, rerankRules);
  const bytes = [query, ...documents].reduce((sum, text) => sum + utf8Bytes(text), 0);
  if (bytes > MAX_TEXT_BYTES) {
    const message = `Cannot ${RERANK}: query and documents have ${bytes} bytes of UTF-8, ` +
      `expected at most ${MAX_TEXT_BYTES}`;
    throw invalidField("documents", message);
  }
  return { model, query, documents, topN: top_n ?? undefined, returnDocuments: return_documents, warnings };
}
