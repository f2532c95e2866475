/**
 * The functions that a request offers, and the choice among them.
 *
 * @module
 */
import { isObject } from "../../json/json_text.ts";
import { hasJsonText, jsonTextOf } from "../../json/json_sources.ts";
import * as v from "valibot";
import { holding, refusing } from "../../errors/declared_members.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { jsonObjectField, listField } from "../../json/bounded_fields.ts";
import { show } from "../../errors/show.ts";
import { invalidField } from "../../errors/svc_error.ts";
import type { ToolChoice, ToolDefinition } from "./chat_request.ts";

/** Functions that a request offers. */
const MAX_TOOLS = 1024;

/** Characters of the name of a function. */
const MAX_NAME = 256;

const toolExpected = "expected a tool, such as { type, function }";
const type = v.pipe(v.string("expected function"), v.check((name) => name === "function", "expected function"));

/** What belongs into `parameters`, or into `function`. */
const outsideParameters: FieldRefusal = {
  field: /^((input_?|json_?|parameters_?json_?)?schema|properties|required|additionalProperties|arguments)$/i,
  remedy: "describe the arguments in parameters",
};
const outsideFunction: FieldRefusal = {
  field: /^(description|parameters|strict)$/,
  neutral: ["", false],
  remedy: "set it in function",
};

const functionTool = v.pipe(
  refusing(
    v.object({
      type,
      function: refusing(
        v.object({
          name: v.pipe(
            v.string("expected a string"),
            v.nonEmpty("expected the name of the function"),
            v.maxLength(MAX_NAME, `expected at most ${MAX_NAME} characters`),
          ),
          description: v.nullish(v.string("expected a string"), ""),
          parameters: v.nullish(jsonObjectField("expected a JSON Schema object")),
          strict: v.nullish(v.boolean("expected true or false"), false),
        }, "expected an object with name, description and parameters"),
        [outsideParameters],
      ),
    }, toolExpected),
    [outsideFunction, outsideParameters],
  ),
  v.transform(({ function: { name, description, parameters, strict } }): ToolDefinition => ({
    name,
    description,
    parameters: parameters ?? { type: "object", properties: {}, required: [] },
    strict,
    ...hasJsonText(parameters) ? { parametersText: jsonTextOf(parameters) } : {},
  })),
);

/** For a tool of another type only the invalid type is reported. */
const otherTool = v.object({ type }, toolExpected);

const tool = v.lazy((value) =>
  (value as { type?: unknown } | null)?.type === "function" ? functionTool : otherTool as unknown as typeof functionTool
);

/** The functions of a request. An omitted or null schema becomes that of an empty object. */
export const toolsField: v.GenericSchema<unknown, ToolDefinition[]> = v.pipe(
  v.nullish(listField(tool, { max: MAX_TOOLS, expected: `expected an array of at most ${MAX_TOOLS} tools` }), []),
  v.transform((tools) => tools.map((tool, i) => ({ ...tool, path: `tools[${i}]` }))),
  v.check(
    (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
    "expected each function name once",
  ),
);

const any = v.optional(v.unknown());
const chosenFunction = v.object({ type: any, function: v.object({ name: any }) });

/** `tool_choice`, which {@linkcode chooseTools} reads. */
export const toolChoiceField: v.GenericSchema<unknown, unknown> = holding(
  v.optional(v.unknown()),
  refusing(
    v.object({
      ...chosenFunction.entries,
      allowed_tools: v.object({ mode: any, tools: v.array(chosenFunction) }),
    }),
    [{ field: "disable_parallel_tool_use", neutral: [false], remedy: "use parallel_tool_calls instead" }],
  ),
);

/** The tools of a request, and the choice among them. */
export interface ToolUse {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
}

/**
 * Applies `tool_choice`: `none` drops the tools, a named function leaves only that one, `allowed_tools` those it lists.
 *
 * @throws {SvcError} `invalid_tool_choice`.
 */
export function chooseTools(tools: readonly ToolDefinition[], choice: unknown): ToolUse {
  if (choice === undefined || choice === null || choice === "auto") return { tools, choice: { mode: "auto" } };
  if (choice === "none") return { tools: [], choice: { mode: "auto" } };
  if (tools.length === 0) throw wrongChoice(choice, "expected tools to choose from");
  if (choice === "required") return { tools, choice: { mode: "required" } };
  const { type, function: chosen, allowed_tools: allowed } = fields(choice);
  if (type === "allowed_tools") return allowedTools(tools, choice, fields(allowed));
  const name = nameOf({ type, function: chosen });
  if (name === undefined) {
    throw wrongChoice(choice, "expected none, auto, required or { type: function, function: { name } }");
  }
  return { tools: named(tools, choice, [name]), choice: { mode: "function", name } };
}

function allowedTools(tools: readonly ToolDefinition[], choice: unknown, allowed: Record<string, unknown>): ToolUse {
  const { mode } = allowed;
  const isList = Array.isArray(allowed.tools) && allowed.tools.length <= MAX_TOOLS;
  const names = isList ? (allowed.tools as unknown[]).map(nameOf) : [];
  if ((mode !== "auto" && mode !== "required") || names.length === 0 || names.includes(undefined)) {
    throw wrongChoice(choice, "expected allowed_tools with the mode auto or required and a list of functions");
  }
  return { tools: named(tools, choice, names), choice: { mode } };
}

/** The named tools, in the order of the request. */
function named(
  tools: readonly ToolDefinition[],
  choice: unknown,
  names: readonly (string | undefined)[],
): readonly ToolDefinition[] {
  const known = new Set<string | undefined>(tools.map(({ name }) => name));
  const wanted = new Set(names);
  if (names.every((name) => known.has(name))) return tools.filter(({ name }) => wanted.has(name));
  const some = tools.slice(0, 8).map(({ name }) => name).join(", ");
  throw wrongChoice(choice, `expected one of the functions ${some}${tools.length > 8 ? ", ..." : ""}`);
}

function nameOf(chosen: unknown): string | undefined {
  const { type, function: called } = fields(chosen);
  const { name } = fields(called);
  return type === "function" && typeof name === "string" ? name : undefined;
}

function fields(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function wrongChoice(choice: unknown, expected: string): Error {
  return invalidField("tool_choice", `Cannot complete the chat: "tool_choice" is ${show(choice)}, ${expected}`);
}
