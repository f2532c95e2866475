/**
 * What a request says about reasoning, in all spellings that clients use.
 *
 * @module
 */
import { show } from "../../errors/show.ts";
import { invalidField, unsupportedParameter } from "../../errors/svc_error.ts";
import { REASONING_EFFORTS, type ReasoningChoice, type ReasoningEffort } from "../chat/chat_request.ts";

/** The relevant fields. */
export interface ReasoningFields {
  readonly reasoning_effort: unknown;
  readonly enable_thinking: unknown;
  readonly think: unknown;
  readonly thinking: unknown;
  readonly template_enable_thinking: unknown;
}

type Said = { readonly param: string; readonly enabled: boolean; readonly effort?: ReasoningChoice["effort"] };

/**
 * Reads `reasoning_effort` (a level; `none` is `off`), `enable_thinking` (on or off, also inside
 * `chat_template_kwargs`), `think` (on, off or a level) and `thinking` (on, off or `{ type: enabled | disabled }`).
 *
 * @throws {SvcError} `invalid_<field>` for other values and for fields that contradict one another,
 * `unsupported_parameter` for a budget of tokens.
 */
export function readReasoningChoice(fields: ReasoningFields): ReasoningChoice {
  const said = [
    effort("reasoning_effort", fields.reasoning_effort),
    toggle("enable_thinking", fields.enable_thinking),
    toggle("chat_template_kwargs.enable_thinking", fields.template_enable_thinking),
    typeof fields.think === "string" ? effort("think", fields.think) : toggle("think", fields.think),
    provider(fields.thinking),
  ].filter((one) => one !== undefined);
  const other = said.find((one) => one.enabled !== said[0].enabled);
  const levels = said.filter((one) => one.effort !== undefined);
  const another = other ?? levels.find((one) => one.effort !== levels[0].effort);
  if (another !== undefined) {
    const before = other ? said[0].param : levels[0].param;
    const message = `Cannot complete the chat: "${another.param}" contradicts "${before}", expected one of them`;
    throw invalidField(another.param, message);
  }
  const level = levels[0] ?? said[0];
  return { enabled: said[0]?.enabled, effort: level?.effort, param: level?.param ?? "reasoning_effort" };
}

function effort(param: string, value: unknown): Said | undefined {
  if (value === undefined || value === null) return undefined;
  const level = value === "none" ? "off" : value as ReasoningEffort;
  if (!REASONING_EFFORTS.includes(level)) throw wrong(param, value, `expected one of ${REASONING_EFFORTS.join(", ")}`);
  return level === "off" ? { param, enabled: false } : { param, enabled: true, effort: level };
}

function toggle(param: string, value: unknown): Said | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw wrong(param, value, "expected true or false");
  return { param, enabled: value };
}

function provider(value: unknown): Said | undefined {
  if (typeof value !== "object" || value === null) return toggle("thinking", value);
  const { type, ...rest } = value as Record<string, unknown>;
  const further = Object.keys(rest).find((name) => rest[name] !== null);
  if (further !== undefined) {
    const message = `Cannot complete the chat: "thinking.${further}" is ${show(rest[further])}, expected no such field`;
    throw unsupportedParameter(message, `thinking.${further}`);
  }
  if (type === "enabled" || type === "disabled") return { param: "thinking", enabled: type === "enabled" };
  throw wrong("thinking.type", type, "expected enabled or disabled");
}

function wrong(param: string, value: unknown, expected: string): Error {
  const message = `Cannot complete the chat: "${param}" is ${show(value)}, ${expected}`;
  return invalidField(param, message);
}
