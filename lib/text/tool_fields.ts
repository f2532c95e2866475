/**
 * The functions that a request offers, and the choice among them.
 *
 * @module
 */
import * as v from "valibot";
import { show } from "../words/show.ts";
import type { ToolChoice, ToolDefinition } from "./chat_request.ts";
import { jsonObjectField } from "./json_object_field.ts";
import { invalidChat } from "./text_error.ts";

const toolExpected = "expected a tool, such as { type, function }";
const type = v.pipe(v.string("expected function"), v.check((name) => name === "function", "expected function"));

const functionTool = v.pipe(
  v.object({
    type,
    function: v.object({
      name: v.pipe(v.string("expected a string"), v.nonEmpty("expected the name of the function")),
      description: v.nullish(v.string("expected a string"), ""),
      parameters: v.nullish(jsonObjectField("expected a JSON Schema object")),
      strict: v.nullish(v.boolean("expected true or false"), false),
    }, "expected an object with name, description and parameters"),
  }, toolExpected),
  v.transform(({ function: { name, description, parameters, strict } }): ToolDefinition => ({
    name,
    description,
    parameters: parameters ?? { type: "object", properties: {}, required: [] },
    strict,
  })),
);

/** Of a tool of another type nothing but the type is looked at, and that is wrong. */
const otherTool = v.object({ type }, toolExpected);

const tool = v.lazy((value) =>
  (value as { type?: unknown } | null)?.type === "function" ? functionTool : otherTool as unknown as typeof functionTool
);

/** The functions of a request. An omitted or null schema becomes that of an empty object. */
export const toolsField: v.GenericSchema<unknown, ToolDefinition[]> = v.pipe(
  v.nullish(v.array(tool, "expected an array of tools"), []),
  v.check(
    (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
    "expected each function name once",
  ),
);

/** What a request says about calls. */
export interface ToolUse {
  readonly tools: readonly ToolDefinition[];
  readonly choice: ToolChoice;
}

/**
 * Applies `tool_choice`: `none` drops the tools, a named function leaves only that one.
 *
 * @throws {TextError} `invalid_tool_choice`.
 */
export function chooseTools(tools: readonly ToolDefinition[], choice: unknown): ToolUse {
  if (choice === undefined || choice === null || choice === "auto") return { tools, choice: { mode: "auto" } };
  if (choice === "none") return { tools: [], choice: { mode: "auto" } };
  const name = choice === "required" ? undefined : chosenName(choice);
  if (tools.length === 0) throw wrongChoice(choice, "expected tools to choose from");
  if (name === undefined) return { tools, choice: { mode: "required" } };
  const chosen = tools.filter((candidate) => candidate.name === name);
  if (chosen.length === 0) {
    throw wrongChoice(choice, `expected one of the functions ${tools.map((t) => t.name).join(", ")}`);
  }
  return { tools: chosen, choice: { mode: "function", name } };
}

function chosenName(choice: unknown): string {
  const { type, function: chosen } = (typeof choice === "object" ? choice : {}) as Record<string, unknown>;
  const name = (chosen as { name?: unknown } | null | undefined)?.name;
  if (type === "function" && typeof name === "string") return name;
  throw wrongChoice(choice, "expected none, auto, required or { type: function, function: { name } }");
}

function wrongChoice(choice: unknown, expected: string): Error {
  return invalidChat(
    "invalid_tool_choice",
    `Cannot complete the chat: "tool_choice" is ${show(choice)}, ${expected}`,
    "tool_choice",
  );
}
