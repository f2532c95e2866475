/**
 * Grammars of answers.
 *
 * @module
 */
import type { ToolConstraint } from "../../text/mod.ts";
import type { OutputConstraint } from "../language_model.ts";
import { type Expression, type Grammar, repeat, sequence, text } from "./expression.ts";
import { anyObject, jsonRules } from "./json_text.ts";
import { pruneGrammar } from "./prune_grammar.ts";
import { wrongSchema } from "./schema_error.ts";
import { SchemaGrammar, type SchemaOptions } from "./schema_grammar.ts";
import { tooLarge } from "./schema_limits.ts";
import type { SchemaObject } from "./schema_rules.ts";
import { writeGrammar } from "./write_grammar.ts";

/** Where the schema of a response stands in its request. */
const SCHEMA_PATH = "response_format.json_schema.schema";

const jsonGrammar: Grammar["rules"] = new Map(jsonRules);

/**
 * The grammar that an answer has to keep to, as xgrammar reads it. Every keyword of a schema is either kept to or an
 * error, except those of tools, whose arguments are the client's to check: of these what cannot be kept to is left out.
 *
 * A `strict` schema allows nothing that it does not name. Objects have their members in the order of the schema.
 *
 * @throws {TextError} `unsupported_parameter` with the path of the keyword that cannot be kept to, `invalid_…` for a
 * schema that is wrong, too large, endless or followed by no value.
 */
export function outputGrammar(constraint: OutputConstraint): string {
  switch (constraint.kind) {
    case "json_object":
      return writeGrammar({ root: anyObject, rules: jsonGrammar });
    case "json_schema": {
      const { schema, strict } = constraint;
      return schemaText(schema, SCHEMA_PATH, { closed: strict, relaxed: false }, (value) => value);
    }
    case "tool_calls":
      return schemaText(
        constraint.calls.schema,
        "tools",
        { closed: false, relaxed: true },
        (value) => calls(constraint.calls, value),
      );
  }
}

function schemaText(
  schema: SchemaObject,
  path: string,
  options: SchemaOptions,
  around: (value: Expression) => Expression,
): string {
  const why = tooLarge(schema);
  if (why !== undefined) throw wrongSchema(path, why);
  const grammar = new SchemaGrammar(jsonGrammar, options);
  const value = grammar.add({ schema, base: schema, path });
  const pruned = pruneGrammar({ root: around(value), rules: grammar.rules });
  if (pruned === undefined) {
    throw wrongSchema(path, "no value follows it, expected a schema that a finite value follows");
  }
  return writeGrammar(pruned);
}

/** Calls between their marks, with the ends of lines between that models write. */
function calls({ open, close, repeated }: ToolConstraint, value: Expression): Expression {
  const call = sequence(text(open), value, text(close));
  return repeated ? sequence(call, repeat(sequence(text("\n"), call), 0, MOST_CALLS - 1)) : call;
}

/** Some small models would call for ever. */
const MOST_CALLS = 32;
