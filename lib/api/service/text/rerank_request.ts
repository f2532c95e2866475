/**
 * The body of a rerank request.
 *
 * @module
 */
import * as v from "valibot";
import { listField } from "../../../json/bounded_fields.ts";
import type { FieldRefusal } from "../../../errors/field_refusal.ts";
import { invalidField } from "../../../errors/svc_error.ts";
import { bodyRules, readFields } from "../read_fields.ts";
import { modelField } from "../model_field.ts";
import { MAX_TEXT_BYTES, MAX_TEXTS, utf8Bytes } from "./text_batch.ts";

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

const ACTION = "rerank the documents";

const documentExpected = "expected a string or an object with text";
const document = v.lazy((value) =>
  typeof value === "object" && value !== null
    ? v.pipe(v.object({ text: v.string("expected a string") }), v.transform(({ text }) => text))
    : v.string(documentExpected)
) as v.GenericSchema<unknown, string>;
const documentsExpected = `expected an array of 1 to ${MAX_TEXTS} documents`;
const topExpected = "expected an integer of at least 1";

const entries = {
  model: modelField,
  query: v.pipe(v.string("expected a string"), v.minLength(1, "expected a non-empty string")),
  documents: listField(document, { min: 1, max: MAX_TEXTS, expected: documentsExpected }),
  top_n: v.nullish(v.pipe(v.number(topExpected), v.safeInteger(topExpected), v.minValue(1, topExpected))),
  return_documents: v.nullish(v.boolean("expected true or false"), false),
  user: v.nullish(v.string("expected a string")),
};

/** Fields of other servers that would change the ranking. */
const refusals: readonly FieldRefusal[] = [
  { field: /^(truncat(e|ion)|truncate_prompt_tokens)$/, neutral: [false], remedy: "documents are never truncated" },
  { field: /^max_(tokens_per_doc|chunks_per_doc)$/, remedy: "documents are never cut" },
  { field: "rank_fields", neutral: [["text"]], remedy: 'expected ["text"]' },
  { field: "instruction", remedy: "include it in the query" },
  { field: "raw_scores", neutral: [false], remedy: "expected no such field: scores are between 0 and 1" },
];

const rules = bodyRules(ACTION, entries, refusals);

/**
 * Validates the parsed JSON body of a rerank request.
 *
 * @throws {SvcError} 400 with the field in `param`.
 */
export function readRerankRequest(body: unknown): RerankRequest {
  const { fields: { model, query, documents, top_n, return_documents }, warnings } = readFields(body, rules);
  const bytes = [query, ...documents].reduce((sum, text) => sum + utf8Bytes(text), 0);
  if (bytes > MAX_TEXT_BYTES) {
    const message = `Cannot ${ACTION}: query and documents have ${bytes} bytes of UTF-8, ` +
      `expected at most ${MAX_TEXT_BYTES}`;
    throw invalidField("documents", message);
  }
  return { model, query, documents, topN: top_n ?? undefined, returnDocuments: return_documents, warnings };
}
