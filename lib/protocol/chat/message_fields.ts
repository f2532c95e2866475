/**
 * The fields of messages: every role, text and image parts, tool calls and their answers.
 *
 * @module
 */
import * as v from "valibot";
import { refusing } from "../../errors/declared_members.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { DEEPEST_VALUE, listField } from "../../json/bounded_fields.ts";
import { jsonTextOf } from "../../json/json_sources.ts";
import { isObject, jsonExtent } from "../../json/json_text.ts";
import type { ChatMessage, ToolCall } from "./chat_request.ts";
import { textContent, textTypes, userContent } from "./content_fields.ts";

/** Roles that a message can have. */
const ROLES = ["system", "developer", "user", "assistant", "tool"] as const;

/** Normalizes a role: trimmed, in lower case. */
function normalRole(role: unknown): unknown {
  return typeof role === "string" ? role.trim().toLowerCase() : role;
}

const role = v.pipe(
  v.string(`expected one of ${ROLES.join(", ")}`),
  v.transform((text) => normalRole(text) as typeof ROLES[number]),
  v.check((text) => ROLES.includes(text), `expected one of ${ROLES.join(", ")}`),
);

/** Calls of a message. */
const MAX_CALLS = 256;

/** Size of the arguments of a call. */
const MAX_ARGUMENTS = { values: 100_000, depth: DEEPEST_VALUE } as const;

const text = v.string("expected a string");
const optionalText = v.nullish(text);

/** Arguments as they came, and whether they are something else than an object. */
type GivenArguments = Pick<ToolCall, "arguments" | "isForeign">;

/** The JSON text of an object, or an object; whatever else a model once wrote is taken as a text. */
const callArguments = v.pipe(
  v.optional(v.unknown()),
  v.rawTransform(({ dataset, addIssue, NEVER }): GivenArguments => {
    const { value } = dataset;
    const text = typeof value === "string" ? value : jsonTextOf(value ?? {});
    const { values, depth } = jsonExtent(text, MAX_ARGUMENTS);
    if (values > MAX_ARGUMENTS.values || depth > MAX_ARGUMENTS.depth) {
      const { values, depth } = MAX_ARGUMENTS;
      addIssue({ message: `expected the JSON text of an object with at most ${values} values and ${depth} levels` });
      return NEVER;
    }
    return givenArguments(text);
  }),
);

const NO_ARGUMENTS: GivenArguments = { arguments: "{}" };

function givenArguments(text: string): GivenArguments {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") return NO_ARGUMENTS;
  try {
    if (isObject(JSON.parse(text))) return { arguments: text };
  } catch {
    // Not JSON: a text like any other.
  }
  return { arguments: text, isForeign: true };
}

const toolCall = v.pipe(
  v.object({
    id: v.pipe(text, v.nonEmpty("expected the id of the call")),
    type: v.nullish(v.pipe(text, v.check((type) => type === "function", "expected function"))),
    function: v.object({
      name: v.pipe(text, v.nonEmpty("expected the name of a function")),
      arguments: callArguments,
    }, "expected an object with name and arguments"),
    // The position of a call that came in a stream.
    index: v.optional(v.unknown()),
  }, "expected a call, such as { id, type, function }"),
  v.transform(({ id, function: { name, arguments: given } }): ToolCall => ({ id, name, ...given ?? NO_ARGUMENTS })),
);

/** Members of messages in other dialects that would change the answer. */
const dialects: readonly FieldRefusal[] = [
  {
    field: /^(prefix|partial)$/,
    neutral: [false],
    remedy: "expected no such field: answers start from scratch, put a beginning into the messages",
  },
  {
    field: /^(image|audio|video|file)s?$|^(image|audio|video|file)_(url|id)s?$|^(attachments|input_audio)$/,
    neutral: [[]],
    remedy: "put it into the content, as a part",
  },
];

const system = refusing(v.object({ role, content: textContent(textTypes), name: optionalText }), dialects);

const user = refusing(v.object({ role, content: userContent, name: optionalText }), dialects);

const assistant = refusing(
  v.object({
    role,
    content: v.nullish(textContent([...textTypes, "refusal"])),
    refusal: optionalText,
    reasoning_content: optionalText,
    // The same by another name, as some servers send it.
    reasoning: optionalText,
    tool_calls: v.nullish(
      listField(toolCall, { max: MAX_CALLS, expected: `expected an array of at most ${MAX_CALLS} calls` }),
    ),
    name: optionalText,
    // Clients send back whole answer messages, with these two empty.
    audio: v.nullish(v.pipe(v.unknown(), v.check(() => false, "expected null"))),
    function_call: v.nullish(v.pipe(v.unknown(), v.check(() => false, "expected null: use tool_calls instead"))),
    annotations: v.optional(v.unknown()),
  }),
  dialects,
);

const tool = refusing(
  v.object({
    role,
    content: textContent(textTypes),
    tool_call_id: v.pipe(text, v.nonEmpty("expected the id of the call that the message answers")),
    name: optionalText,
  }),
  dialects,
);

/** For a message of another role only the invalid role is reported. */
const other = v.object({ role }, "expected a message, such as { role, content }");

const systemMessage = v.pipe(
  system,
  v.transform(({ role, content, name }): ChatMessage => ({
    role: role as "system" | "developer",
    content,
    name: name ?? undefined,
  })),
);

const userMessage = v.pipe(
  user,
  v.transform(({ content, name }): ChatMessage => ({ role: "user", content, name: name ?? undefined })),
);

const assistantMessage = v.pipe(
  assistant,
  v.transform((fields): ChatMessage => ({
    role: "assistant",
    content: fields.content ?? fields.refusal ?? "",
    reasoning: fields.reasoning_content ?? fields.reasoning ?? undefined,
    toolCalls: fields.tool_calls ?? [],
    name: fields.name ?? undefined,
  })),
);

const toolMessage = v.pipe(
  tool,
  v.transform(({ content, tool_call_id: toolCallId, name }): ChatMessage => ({
    role: "tool",
    content,
    toolCallId,
    name: name ?? undefined,
  })),
);

/** A message of any role. */
const messageField: v.GenericSchema<unknown, ChatMessage> = v.lazy((message) => {
  switch (normalRole((message as { role?: unknown } | null)?.role)) {
    case "system":
    case "developer":
      return systemMessage;
    case "user":
      return userMessage;
    case "assistant":
      return assistantMessage;
    case "tool":
      return toolMessage;
    default:
      return other as unknown as typeof systemMessage;
  }
}) as v.GenericSchema<unknown, ChatMessage>;

/** Messages of a request. */
const MAX_MESSAGES = 10_000;

/** The messages of a request: every role, text and image parts, tool calls and their answers. */
export const messagesField: v.GenericSchema<unknown, ChatMessage[]> = v.pipe(
  listField(messageField, {
    min: 1,
    max: MAX_MESSAGES,
    expected: `expected an array of 1 to ${MAX_MESSAGES} messages`,
  }),
  v.transform(nameAnswers),
);

/** Templates need the function's name with its answer, which clients mostly omit. */
function nameAnswers(messages: ChatMessage[]): ChatMessage[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "assistant") { for (const call of message.toolCalls) names.set(call.id, call.name); }
    if (message.role !== "tool" || message.name !== undefined) return message;
    return { ...message, name: names.get(message.toolCallId) };
  });
}

/** Names the arguments of earlier calls that are passed on as texts, one sentence each. */
export function foreignArguments(messages: readonly ChatMessage[]): string[] {
  const paths = messages.flatMap((message, i) =>
    message.role !== "assistant"
      ? []
      : message.toolCalls.flatMap(({ isForeign }, j) =>
        isForeign ? [`messages[${i}].tool_calls[${j}].function.arguments`] : []
      )
  );
  const sentences = paths.slice(0, MAX_SENTENCES).map((path) =>
    `Passed on "${path}" as a text: it is not a JSON object`
  );
  const others = paths.length - sentences.length;
  return others === 0 ? sentences : [...sentences, `Passed on the arguments of ${others} more calls as texts`];
}

/** Most sentences about arguments. */
const MAX_SENTENCES = 8;
