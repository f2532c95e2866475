/**
 * What a request wants its answer to look like.
 *
 * @module
 */
import {
  type ChatRequest,
  type RenderedPrompt,
  type TextCapabilities,
  toolConstraint,
} from "../../api/protocol/mod.ts";
import type { OutputConstraint } from "./language_model.ts";
import { checkSchema } from "../output_grammar/output_grammar.ts";
import { unsupportedParameter } from "../../errors/make_error.ts";

/** A request with its prompt, and what the tokens of its answer have to spell. */
export interface ConstrainedPrompt {
  readonly request: ChatRequest;
  readonly rendered: RenderedPrompt;
  readonly constraint: OutputConstraint | undefined;
}

/**
 * Renders a request and finds its constraint. Calls that are required are forced where the engine can and the model does
 * not think first; else the prompt's instruction has to do. Models whose thoughts are a choice do not think then, unless
 * the request wants it.
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
    const { type: kind, schema, strict } = format;
    return { request, rendered: render(request), constraint: { kind, schema, strict } };
  }
  if (request.toolChoice.mode !== "auto" && features.has("json_schema") && request.reasoning.enabled !== true) {
    const quiet = reasoning?.optional ? { ...request, reasoning: { ...request.reasoning, enabled: false } } : request;
    const rendered = render(quiet);
    const calls = rendered.startsInReasoning ? undefined : toolConstraint(request, rendered.toolCallFormat);
    if (calls !== undefined) {
      checkStrictTools(request);
      return { request: quiet, rendered, constraint: { kind: "tool_calls", calls, forced: true } };
    }
  }
  const rendered = render(request);
  return { request, rendered, constraint: strictCalls(request, rendered) };
}

/** Keeps the calls that a model makes by itself to their schemas, where functions ask for that. */
function strictCalls(request: ChatRequest, { toolCallFormat }: RenderedPrompt): OutputConstraint | undefined {
  const at = request.tools.findIndex(({ strict }) => strict);
  if (at < 0) return undefined;
  const calls = toolConstraint({ ...request, toolChoice: { mode: "required" } }, toolCallFormat);
  if (calls === undefined || calls.open === "") {
    const param = `tools[${at}].function.strict`;
    const message =
      `Cannot complete the chat: "${param}" is true, but the model writes calls in a way that cannot be ` +
      "kept to a schema, leave it out or choose another model";
    throw unsupportedParameter(message, param);
  }
  checkStrictTools(request);
  return { kind: "tool_calls", calls, forced: false };
}

function checkStrictTools({ tools, toolChoice }: ChatRequest): void {
  for (const [i, { strict, parameters }] of tools.entries()) {
    // The chosen function stands alone here, wherever it stood in the request.
    const path = toolChoice.mode === "function" ? "tools" : `tools[${i}].function.parameters`;
    if (strict) checkSchema(parameters, path);
  }
}

/** JSON has no room for control characters: nothing in an answer that is JSON is taken for the mark of a thought. */
const NO_TAGS = { open: "\0", close: "\0" };

/** How an answer is read: one that is forced holds no thought, whatever its texts look like. */
export function readingOf({ rendered, constraint }: ConstrainedPrompt): RenderedPrompt {
  const isFree = constraint === undefined || (constraint.kind === "tool_calls" && !constraint.forced);
  return isFree ? rendered : { ...rendered, reasoningTags: NO_TAGS, startsInReasoning: false };
}
