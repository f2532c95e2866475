/**
 * The fields of messages.
 *
 * @module
 */
import * as v from "valibot";
import type { ContentPart, ToolCall } from "./chat_request.ts";
import { readImagePlace } from "./image_reference.ts";

/** Roles that a message can have. */
export const ROLES = ["system", "developer", "user", "assistant", "tool"] as const;

/** The role as it is meant: without surrounding space, in lower case. */
export function normalRole(role: unknown): unknown {
  return typeof role === "string" ? role.trim().toLowerCase() : role;
}

const role = v.pipe(
  v.string(`expected one of ${ROLES.join(", ")}`),
  v.transform((text) => normalRole(text) as typeof ROLES[number]),
  v.check((text) => ROLES.includes(text), `expected one of ${ROLES.join(", ")}`),
);

const text = v.string("expected a string");
const optionalText = v.nullish(text);

const textPart = v.pipe(
  v.object({ text }, "expected a part, such as { type, text }"),
  v.transform((part): ContentPart => ({ type: "text", text: part.text })),
);

const refusalPart = v.pipe(
  v.object({ refusal: text }),
  v.transform((part): ContentPart => ({ type: "text", text: part.refusal })),
);

const imageUrl = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const place = readImagePlace(dataset.value);
    if (typeof place !== "string") return place;
    addIssue({ message: place });
    return NEVER;
  }),
);
const detail = v.nullish(v.picklist(["auto", "low", "high"], "expected auto, low or high"), "auto");

const imagePart = v.pipe(
  v.object({
    image_url: v.lazy((value) =>
      typeof value === "object" ? v.object({ url: imageUrl, detail }, "expected an object with url") : imageUrl
    ),
    detail,
  }),
  v.transform(({ image_url: image, detail }): ContentPart => ({
    type: "image",
    image: "kind" in image ? { ...image, detail } : { ...image.url, detail: image.detail },
  })),
);

const textTypes = ["text", "input_text", "output_text"];
const imageTypes = ["image_url", "input_image"];

/** A part of a known type; `types` are those that the message may have. */
function part(types: readonly string[]): v.GenericSchema<unknown, ContentPart> {
  const expected = `expected one of ${types.join(", ")}`;
  // Of a part of another type nothing but the type is looked at, and that is wrong.
  const unknown = v.object(
    { type: v.pipe(v.string(expected), v.check(() => false, expected)) },
    "expected a part, such as { type, text }",
  ) as unknown as typeof textPart;
  return v.lazy((value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (type === undefined && typeof value === "object" && value !== null && "text" in value) return textPart;
    if (typeof type !== "string" || !types.includes(type)) return unknown;
    return imageTypes.includes(type) ? imagePart : type === "refusal" ? refusalPart : textPart;
  }) as v.GenericSchema<unknown, ContentPart>;
}

/** Text of parts that hold no image. */
function joinText(parts: ContentPart[]): string {
  return parts.map((item) => item.type === "text" ? item.text : "").join("\n");
}

function parts(types: readonly string[]): v.GenericSchema<unknown, ContentPart[]> {
  return v.pipe(
    v.array(part(types), "expected a string or an array of parts"),
    v.minLength(1, "expected at least one part"),
    v.check(
      (list) => list.filter((item) => item.type === "image").length <= 1,
      "expected at most one image in a message",
    ),
  ) as v.GenericSchema<unknown, ContentPart[]>;
}

function textContent(types: readonly string[]): v.GenericSchema<unknown, string> {
  const list = v.pipe(parts(types), v.transform(joinText));
  return v.lazy((value) => Array.isArray(value) ? list : v.string("expected a string or an array of parts"));
}

const userParts = v.pipe(
  parts([...textTypes, ...imageTypes]),
  v.transform((list) => list.some((item) => item.type === "image") ? list : joinText(list)),
);
const userContent = v.lazy((value): v.GenericSchema<unknown, string | ContentPart[]> =>
  Array.isArray(value) ? userParts : v.string("expected a string or an array of parts")
);

const callArguments = v.pipe(
  v.string("expected the JSON text of an object"),
  v.rawTransform(({ dataset, addIssue, NEVER }): Record<string, unknown> => {
    let value: unknown;
    try {
      value = JSON.parse(dataset.value);
    } catch {
      value = undefined;
    }
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    addIssue({ message: "expected the JSON text of an object" });
    return NEVER;
  }),
);

const toolCall = v.pipe(
  v.object({
    id: v.pipe(text, v.nonEmpty("expected the id of the call")),
    type: v.nullish(v.pipe(text, v.check((type) => type === "function", "expected function"))),
    function: v.object({
      name: v.pipe(text, v.nonEmpty("expected the name of a function")),
      arguments: callArguments,
    }, "expected an object with name and arguments"),
  }, "expected a call, such as { id, type, function }"),
  v.transform((call): ToolCall => ({ id: call.id, name: call.function.name, arguments: call.function.arguments })),
);

/** The fields of each role's messages. Those that only other roles have are ignored with a warning. */
export const messageFields = {
  system: v.object({ role, content: textContent(textTypes), name: optionalText }),
  developer: v.object({ role, content: textContent(textTypes), name: optionalText }),
  user: v.object({ role, content: userContent, name: optionalText }),
  assistant: v.object({
    role,
    content: v.nullish(textContent([...textTypes, "refusal"])),
    refusal: optionalText,
    reasoning_content: optionalText,
    tool_calls: v.nullish(v.array(toolCall, "expected an array of calls")),
    name: optionalText,
    // Clients send back whole messages of an answer, with these two empty.
    audio: v.nullish(v.pipe(v.unknown(), v.check(() => false, "expected null"))),
    function_call: v.nullish(v.pipe(v.unknown(), v.check(() => false, "expected null: use tool_calls instead"))),
    annotations: v.optional(v.unknown()),
  }),
  tool: v.object({
    role,
    content: textContent(textTypes),
    tool_call_id: v.pipe(text, v.nonEmpty("expected the id of the call that the message answers")),
    name: optionalText,
  }),
  unknown: v.object({ role }, "expected a message, such as { role, content }"),
} as const;
