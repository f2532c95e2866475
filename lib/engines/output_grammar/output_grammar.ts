/**
 * Grammars of answers. Schemas are compiled here and not by xgrammar's `Grammar.fromJSONSchema`: with keywords that it
 * takes, version 0.1.27 lets through numbers beyond fractional bounds, keys twice, objects without what they must have
 * and text that is not JSON (`pattern: "^.$"`), and rejects right answers: 92 of 387 random schemas had a wrong grammar,
 * here none. What it does not take it ignores, or aborts without a name for, which two dozen times end its WebAssembly.
 * It is faster: 20 ms for 300 optional properties, which take 200 ms here.
 * `tests/engines/output_grammar/library_schema_test.ts` notices when it gets these right.
 *
 * @module
 */
import type { ToolConstraint } from "../../protocol/mod.ts";
import type { OutputConstraint } from "../contract/language_model.ts";
import { type Expression, type Grammar, optional, repeat, sequence, text } from "./expression.ts";
import { textWithout } from "./excluded_texts.ts";
import { anyObject, jsonRules } from "./json_grammar.ts";
import { looseGrammar, pruneGrammar } from "./transform_grammar.ts";
import { SchemaBudget, tooLarge } from "./schema/schema_limits.ts";
import { type SchemaObject, wrongSchema } from "./schema/schema_rules.ts";
import { SchemaGrammar, type SchemaOptions } from "./schema_grammar.ts";
import { modernSchema } from "./schema/modern_schema.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { writeExact, writeLoose } from "./write_grammar.ts";

/** Path of the response schema in a request that does not say where it has it. */
const SCHEMA_PATH = "response_format.json_schema.schema";

const jsonGrammar: Grammar["rules"] = new Map(jsonRules);

/** Longer texts would only make a grammar large. */
const MAX_LETTERS = 40_000;

/** Some small models would call forever. */
const MAX_CALLS = 32;

/** A grammar for xgrammar, in two forms. */
export interface OutputGrammar {
  /** The exact form. */
  readonly exact: string;
  /** Accepts more, and is fast with large vocabularies. */
  readonly loose: string;
}

/**
 * The grammar that constrains an answer. Every keyword of a schema is either enforced or an error, except in functions
 * that are not strict, whose arguments the client validates: there unsupported keywords are ignored.
 *
 * A `strict` schema allows nothing that it does not name. Objects have their members in the order of the schema.
 *
 * @throws {SvcError} `unsupported_parameter` with the path of the keyword that cannot be kept to, `invalid_…` for a
 * schema that is wrong, too large, endless or followed by no value.
 */
export function outputGrammar(constraint: OutputConstraint): OutputGrammar {
  const grammar = constraintGrammar(constraint);
  return { exact: writeExact(grammar), loose: writeLoose(looseGrammar(grammar)) };
}

function constraintGrammar(constraint: OutputConstraint): Grammar {
  switch (constraint.kind) {
    case "json_object":
      return { root: anyObject, rules: jsonGrammar };
    case "json_schema": {
      const { schema, strict, path = SCHEMA_PATH } = constraint;
      return schemaGrammar(schema, path, { closed: strict, relaxed: false });
    }
    case "tool_calls": {
      for (const { schema, path } of constraint.strict ?? []) checkSchema(schema, path);
      const { calls: { schema, paths = [] } } = constraint;
      const { root, rules } = inRequest(paths, () => schemaGrammar(schema, "tools", { closed: false, relaxed: true }));
      const all = new Map(rules);
      return { root: calls(constraint.calls, constraint.forced, root, all), rules: all };
    }
  }
}

/**
 * Errors of the schema of all calls, with their paths in the client's request.
 *
 * @param paths Of the functions, in the order of that schema.
 */
function inRequest<T>(paths: readonly string[], make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SvcError) || error.param === undefined) throw error;
    const { code, message, param: inner, type } = error;
    const before = /^tools(?:\.items)?(?:\.anyOf\[(\d+)\])?\.properties\.(?:arguments|parameters)/.exec(inner);
    const path = before ? paths[Number(before[1] ?? 0)] : paths.length === 1 ? paths[0] : undefined;
    if (path === undefined) throw error;
    const param = `${path}.function.parameters${before ? inner.slice(before[0].length) : ""}`;
    throw new SvcError(code, message.replace(inner, () => param), { param, type });
  }
}

/**
 * Checks that a schema can be fully enforced.
 *
 * @param path The path of the schema in its request.
 * @throws {SvcError} as {@linkcode outputGrammar}.
 */
export function checkSchema(schema: SchemaObject, path: string): void {
  schemaGrammar(schema, path, { closed: true, relaxed: false });
}

function schemaGrammar(schema: SchemaObject, path: string, options: SchemaOptions): Grammar {
  const why = tooLarge(schema);
  if (why !== undefined) throw wrongSchema(path, why);
  const grammar = new SchemaGrammar(jsonGrammar, options, new SchemaBudget());
  const plain = modernSchema(schema);
  const root = grammar.add({ schema: plain, base: plain, path });
  const pruned = pruneGrammar({ root, rules: grammar.rules });
  if (pruned === undefined) {
    throw wrongSchema(path, "no value satisfies it, expected a schema with a finite value");
  }
  if (letters(pruned) > MAX_LETTERS) {
    throw wrongSchema(path, `its names and values have more than ${MAX_LETTERS} letters`);
  }
  return pruned;
}

/** Letters of all literals. */
function letters({ root, rules }: Grammar): number {
  const count = (e: Expression): number => {
    if (e.kind === "text") return e.text.length;
    if (e.kind === "repeat") return count(e.part);
    return e.kind === "sequence" || e.kind === "choice" ? e.parts.reduce((sum, part) => sum + count(part), 0) : 0;
  };
  return [root, ...rules.values()].reduce((sum, e) => sum + count(e), 0);
}

/** Calls between their marks: with the line breaks between them that models write, or with any text around them. */
function calls(
  { open, close, repeated }: ToolConstraint,
  forced: boolean,
  value: Expression,
  rules: Map<string, Expression>,
): Expression {
  const more = repeated ? MAX_CALLS - 1 : 0;
  if (forced) {
    const call = sequence(text(open), value, text(close));
    return sequence(call, repeat(sequence(text("\n"), call), 0, more));
  }
  // A model that calls without being forced may omit the line breaks.
  const around = textWithout(open.trim(), rules, "around");
  const call = sequence(text(open.trim()), optional(text("\n")), value, optional(text("\n")), text(close.trim()));
  return sequence(around, repeat(sequence(call, around), 0, 1 + more));
}
