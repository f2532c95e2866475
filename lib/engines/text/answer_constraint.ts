/**
 * The constraint that a request puts on its answer, and the final validation of the answer.
 *
 * @module
 */
import {
  type ChatRequest,
  type FinishedAnswer,
  type RenderedPrompt,
  type TextCapabilities,
  toolConstraint,
  type ToolDefinition,
} from "../../protocol/mod.ts";
import { isObject } from "../../json/json_text.ts";
import type { OutputConstraint } from "../contract/language_model.ts";
import { brokenRule } from "../output_grammar/check_value.ts";
import { SvcError, unsupportedParameter } from "../../errors/svc_error.ts";
import { modernSchema } from "../output_grammar/schema/modern_schema.ts";

/** A request with its prompt, and the constraint on its answer. */
interface ConstrainedPrompt {
  readonly request: ChatRequest;
  readonly rendered: RenderedPrompt;
  readonly constraint: OutputConstraint | undefined;
}

/**
 * Renders a request and determines its constraint. Required calls are forced if the engine supports it and the model
 * does not reason first; else only the prompt's instruction asks for them. Models with optional reasoning then do not
 * reason, unless the request asks for it.
 *
 * @throws {SvcError} `unsupported_parameter` for strict functions whose calls cannot be kept to their schemas.
 */
export function answerConstraint(
  request: ChatRequest,
  { features, reasoning }: TextCapabilities,
  render: (request: ChatRequest) => RenderedPrompt,
): ConstrainedPrompt {
  const format = request.responseFormat;
  if (format.type === "json_object") return { request, rendered: render(request), constraint: { kind: format.type } };
  if (format.type === "json_schema") {
    const { type: kind, schema, strict, path } = format;
    return { request, rendered: render(request), constraint: { kind, schema, strict, path } };
  }
  if (request.toolChoice.mode !== "auto" && features.has("json_schema") && request.reasoning.enabled !== true) {
    const quiet = reasoning?.optional ? { ...request, reasoning: { ...request.reasoning, enabled: false } } : request;
    const rendered = render(quiet);
    const calls = rendered.startsInReasoning ? undefined : toolConstraint(request, rendered.toolCallFormat);
    if (calls !== undefined) {
      return {
        request: quiet,
        rendered,
        constraint: { kind: "tool_calls", calls, forced: true, ...strictTools(request) },
      };
    }
  }
  const rendered = render(request);
  return { request, rendered, constraint: strictCalls(request, rendered) };
}

/** How to read an answer: a forced one has no reasoning, whatever its texts look like. */
export function readingOf({ rendered, constraint }: ConstrainedPrompt): RenderedPrompt {
  const isFree = constraint === undefined || (constraint.kind === "tool_calls" && !constraint.forced);
  return isFree ? rendered : { ...rendered, reasoningTags: NO_TAGS, startsInReasoning: false };
}

/**
 * Validates a whole answer against its constraint, independent of constrained decoding. Calls are not validated: they
 * have been parsed already, and their arguments are the client's to check.
 *
 * @throws {SvcError} `invalid_output` when the answer is not a JSON object or breaks its schema.
 */
export function checkAnswer(constraint: OutputConstraint, { message }: FinishedAnswer): void {
  if (constraint.kind === "tool_calls") return;
  const value = parse(message.content);
  if (constraint.kind === "json_object") {
    if (!isObject(value)) throw broken("it is not a JSON object");
    return;
  }
  const rule = brokenRule(modernSchema(constraint.schema), value);
  if (rule !== undefined) throw broken(`${rule.path === "" ? "it" : rule.path} ${rule.rule}`);
}

/** Constrains voluntary calls to their schemas, where functions ask for that. */
function strictCalls(request: ChatRequest, { toolCallFormat }: RenderedPrompt): OutputConstraint | undefined {
  const strict = request.tools.find(({ strict }) => strict);
  if (strict === undefined) return undefined;
  const calls = toolConstraint({ ...request, toolChoice: { mode: "required" } }, toolCallFormat);
  if (calls === undefined || calls.open === "") {
    const param = `${pathOf(strict)}.function.strict`;
    const message =
      `Cannot complete the chat: "${param}" is true, but the model writes calls in a format that cannot be ` +
      "constrained to a schema, omit it or choose another model";
    throw unsupportedParameter(message, param);
  }
  return { kind: "tool_calls", calls, forced: false, ...strictTools(request) };
}

/** The schemas that strict functions must be kept to. */
function strictTools({ tools }: ChatRequest): Pick<ToolCallsConstraint, "strict"> {
  const strict = tools.flatMap((tool) =>
    tool.strict ? [{ schema: tool.parameters, path: `${pathOf(tool)}.function.parameters` }] : []
  );
  return strict.length === 0 ? {} : { strict };
}

/** The path of a tool in the client's request: a choice may have left out others before it. */
function pathOf({ path = "tools" }: ToolDefinition): string {
  return path;
}

type ToolCallsConstraint = Extract<OutputConstraint, { kind: "tool_calls" }>;

/** JSON cannot contain control characters: nothing in a JSON answer is mistaken for a reasoning mark. */
const NO_TAGS = { open: "\0", close: "\0" };

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
