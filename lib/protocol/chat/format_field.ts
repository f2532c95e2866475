/**
 * `response_format`: the form of the answer, with a schema in each of the places where clients put one.
 *
 * @module
 */
import * as v from "valibot";
import { refusing } from "../../errors/declared_members.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { jsonObjectField } from "../../json/bounded_fields.ts";
import { isObject } from "../../json/json_text.ts";
import type { ResponseFormat } from "./chat_request.ts";

const TYPES = ["text", "json_object", "json_schema"] as const;

const typeExpected = `expected one of ${TYPES.join(", ")}`;
const type = v.pipe(
  v.string(typeExpected),
  v.check((type) => TYPES.some((known) => known === type), typeExpected),
);
const text = v.nullish(v.string("expected a string"));
const schema = jsonObjectField("expected an object");
const strict = v.nullish(v.boolean("expected true or false"), false);

/** What other servers take here to constrain an answer. */
const otherConstraints: FieldRefusal = {
  field: /^(grammar|ebnf|lark|regex|pattern|choices?|enum|structural_tag|structures|triggers)$/,
  remedy: "expected a JSON Schema with the type json_schema",
};
const schemaTwice: FieldRefusal = { field: "schema", remedy: "expected one schema: omit it, or json_schema" };
const strictOutside: FieldRefusal = { field: "strict", neutral: [false], remedy: "set it in json_schema" };
const withoutJson: FieldRefusal = {
  field: /^(json_schema|schema)$/,
  remedy: "expected no schema with the type text: use the type json_schema",
};

/** `{ type, json_schema: { name, schema, strict } }`, as OpenAI has it. */
const wrapped = refusing(
  v.object({
    type,
    json_schema: refusing(
      v.object(
        { name: text, description: text, schema, strict },
        "expected an object with name and schema",
      ),
      [otherConstraints],
    ),
  }),
  [schemaTwice, strictOutside, otherConstraints],
);

/** `{ type, schema }`, as llama.cpp has it, and `{ type, name, schema, strict }` of OpenAI's responses. */
const flat = refusing(
  v.object({ type, schema, name: text, description: text, strict, json_schema: v.nullish(v.null()) }),
  [otherConstraints],
);

const plain = refusing(v.object({ type }, "expected an object with type"), [withoutJson, otherConstraints]);
const plainJson = refusing(
  v.object({ type, schema: v.nullish(v.null()), json_schema: v.nullish(v.null()) }),
  [otherConstraints],
);

/** A valid `response_format`, whose schema is in one of two places. */
export interface FormatField {
  readonly type: string;
  readonly json_schema?: NamedSchema | null | undefined;
  readonly schema?: NamedSchema["schema"] | null | undefined;
  readonly name?: NamedSchema["name"];
  readonly strict?: boolean;
}

interface NamedSchema {
  readonly name?: string | null | undefined;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly strict: boolean;
}

/** A format of any type. A schema beside the type `json_object` is kept as one with the type `json_schema` is. */
export const formatField: v.GenericSchema<unknown, FormatField> = v.lazy((value) => {
  if (!isObject(value) || (value.type !== "json_object" && value.type !== "json_schema")) return plain;
  if (isGiven(value.json_schema)) return wrapped;
  if (isGiven(value.schema)) return flat;
  return value.type === "json_object" ? plainJson : wrapped;
}) as v.GenericSchema<unknown, FormatField>;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What a format asks for. */
export function readFormat(format: FormatField | null | undefined): ResponseFormat {
  if (format === undefined || format === null) return { type: "text" };
  const { type, json_schema: inner, schema, name, strict = false } = format;
  const given = inner ?? (schema ? { name, schema, strict } : undefined);
  const isEmpty = type === "json_object" && given !== undefined && Object.keys(given.schema).length === 0;
  if (given === undefined || isEmpty) return { type: type as "text" | "json_object" };
  return {
    type: "json_schema",
    name: given.name ?? undefined,
    schema: given.schema,
    strict: given.strict,
    path: inner ? "response_format.json_schema.schema" : "response_format.schema",
  };
}
