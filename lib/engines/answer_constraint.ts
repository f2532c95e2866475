/**
 * What a request wants its answer to look like.
 *
 * @module
 */
import { type ChatRequest, type RenderedPrompt, type TextCapabilities, toolConstraint } from "../text/mod.ts";
import type { OutputConstraint } from "./language_model.ts";

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
  const forced = request.toolChoice.mode !== "auto" && features.has("json_schema") &&
    request.reasoning.enabled !== true;
  if (!forced) return { request, rendered: render(request), constraint: undefined };
  const quiet = reasoning?.optional ? { ...request, reasoning: { ...request.reasoning, enabled: false } } : request;
  const rendered = render(quiet);
  const calls = rendered.startsInReasoning ? undefined : toolConstraint(request, rendered.toolCallFormat);
  return calls === undefined
    ? { request, rendered: render(request), constraint: undefined }
    : { request: quiet, rendered, constraint: { kind: "tool_calls", calls } };
}

/** JSON has no room for control characters: nothing in a constrained answer is taken for the mark of a thought. */
const NO_TAGS = { open: "\0", close: "\0" };

/** How an answer is read that holds no thought, whatever its texts look like. */
export function withoutThought(rendered: RenderedPrompt): RenderedPrompt {
  return { ...rendered, reasoningTags: NO_TAGS, startsInReasoning: false };
}
