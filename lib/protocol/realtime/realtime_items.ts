/**
 * The items of a realtime conversation: as clients send them, as they are kept, and as the chat reads them.
 *
 * @module
 */
import * as v from "valibot";
import { listField } from "../../json/bounded_fields.ts";
import { variants } from "../chat/variants.ts";

/** The version of the protocol that a client speaks. */
export type RealtimeVersion = "ga" | "beta";

/** A part of a message. A transcript is null until it is known. */
export type RealtimePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "audio"; readonly transcript: string | null }
  | { readonly kind: "image"; readonly url: string; readonly detail: string | undefined };

type Status = "in_progress" | "completed" | "incomplete";

/** An item of a conversation. */
export type RealtimeItem = { readonly id: string; readonly status: Status } & RealtimeContent;

/** What an item has besides its id. */
export type RealtimeContent =
  | {
    readonly type: "message";
    readonly role: "user" | "assistant" | "system";
    readonly content: readonly RealtimePart[];
  }
  | { readonly type: "function_call"; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: string };

const any = v.optional(v.unknown());
const text = v.string("expected a string");
const idExpected = "expected an id of 1 to 64 characters";
const itemId = v.pipe(text, v.minLength(1, idExpected), v.maxLength(64, idExpected));
const head = { id: v.nullish(itemId), object: any, type: any, status: any };

const inputText = v.object({ type: any, text });
const parts = (item: v.GenericSchema): v.GenericSchema =>
  listField(item, { max: 256, expected: "expected an array of at most 256 parts" });

const userParts = parts(variants({
  input_text: inputText,
  input_audio: v.object({ type: any, audio: v.nullish(text), transcript: v.nullish(text) }),
  input_image: v.object({ type: any, image_url: text, detail: any }),
}, "a part"));
const spokenPart = v.object({ type: any, audio: any, transcript: v.nullish(text) });
const assistantParts = parts(variants({
  output_text: inputText,
  text: inputText,
  output_audio: spokenPart,
  audio: spokenPart,
}, "a part"));
const systemParts = parts(variants({ input_text: inputText, text: inputText }, "a part"));

const roles: Readonly<Record<string, v.GenericSchema>> = {
  user: v.object({ ...head, role: any, content: userParts }),
  assistant: v.object({ ...head, role: any, content: assistantParts }),
  system: v.object({ ...head, role: any, content: systemParts }),
};
const roleExpected = "expected user, assistant or system";

const callId = v.pipe(text, v.minLength(1, "expected an id"), v.maxLength(256, "expected at most 256 characters"));

/** An item as clients send it. */
export const itemField: v.GenericSchema = variants(
  {
    message: v.lazy((value) => {
      const { role } = (value ?? {}) as { readonly role?: unknown };
      return typeof role === "string" && Object.hasOwn(roles, role)
        ? roles[role]
        : v.object({ role: v.picklist(["user", "assistant", "system"], roleExpected) });
    }),
    function_call: v.object({ ...head, call_id: v.nullish(callId), name: text, arguments: text }),
    function_call_output: v.object({ ...head, call_id: callId, output: text }),
  },
  "an item",
  { item_reference: "it is for the input of a response", mcp_approval_response: "tools run at the client" },
);

const MAX_INPUT = 1024;

/** The `input` of one response: items, and references to those of the conversation. */
export const inputItems: v.GenericSchema = v.nullish(listField(
  v.lazy((value) => {
    const { type } = (value ?? {}) as { readonly type?: unknown };
    return type === "item_reference" ? v.object({ type: any, id: itemId, object: any }) : itemField;
  }),
  { max: MAX_INPUT, expected: `expected an array of at most ${MAX_INPUT} items` },
));

/** An item that was read, and the sound of its parts as base64. */
export interface SentItem {
  readonly id: string | undefined;
  readonly content: RealtimeContent;
  /** By the index of the part. */
  readonly sounds: ReadonlyMap<number, string>;
}

type Wire = Readonly<Record<string, unknown>>;

/** Reads an item that {@linkcode itemField} has accepted. */
export function sentItem(item: Wire, newCallId: () => string): SentItem {
  const id = (item.id as string | null | undefined) ?? undefined;
  const sounds = new Map<number, string>();
  switch (item.type) {
    case "function_call": {
      const { name, arguments: json } = item as { readonly name: string; readonly arguments: string };
      const call_id = (item.call_id as string | null | undefined) ?? newCallId();
      return { id, sounds, content: { type: "function_call", call_id, name, arguments: json } };
    }
    case "function_call_output": {
      const { call_id, output } = item as { readonly call_id: string; readonly output: string };
      return { id, sounds, content: { type: "function_call_output", call_id, output } };
    }
    default: {
      const role = item.role as "user" | "assistant" | "system";
      const content = (item.content as readonly Wire[]).map((part, i): RealtimePart => {
        const { type, text, transcript, audio } = part as Readonly<Record<string, string | null | undefined>>;
        if (type === "input_image") {
          return { kind: "image", url: String(part.image_url), detail: part.detail as string | undefined };
        }
        if (!String(type).endsWith("audio")) return { kind: "text", text: text ?? "" };
        if (role === "user" && typeof audio === "string" && typeof transcript !== "string") sounds.set(i, audio);
        return { kind: "audio", transcript: sounds.has(i) ? null : transcript ?? "" };
      });
      return { id, sounds, content: { type: "message", role, content } };
    }
  }
}

/** An item as clients of a version get it. */
export function wireItem(item: RealtimeItem, version: RealtimeVersion): Wire {
  const { id, status, type } = item;
  const shared = { id, object: "realtime.item", type, status };
  if (type === "function_call") {
    return { ...shared, call_id: item.call_id, name: item.name, arguments: item.arguments };
  }
  if (type === "function_call_output") return { ...shared, call_id: item.call_id, output: item.output };
  return { ...shared, role: item.role, content: item.content.map((part) => wirePart(part, item.role, version)) };
}

function wirePart(part: RealtimePart, role: string, version: RealtimeVersion): Wire {
  const own = role !== "assistant" ? "input_" : version === "ga" ? "output_" : "";
  switch (part.kind) {
    case "text":
      return { type: `${own}text`, text: part.text };
    case "audio":
      return { type: `${own}audio`, transcript: part.transcript };
    case "image":
      return { type: "input_image", image_url: part.url, ...part.detail === undefined ? {} : { detail: part.detail } };
  }
}

/** An item as the chat reads it: what was said is text. */
export function chatItem(item: RealtimeItem): Wire {
  if (item.type === "function_call") {
    return { type: item.type, call_id: item.call_id, name: item.name, arguments: item.arguments };
  }
  if (item.type === "function_call_output") return { type: item.type, call_id: item.call_id, output: item.output };
  const own = item.role === "assistant" ? "output_text" : "input_text";
  const content = item.content.map((part) => {
    if (part.kind === "image") return { type: "input_image", image_url: part.url, detail: part.detail ?? "auto" };
    return { type: own, text: part.kind === "text" ? part.text : part.transcript ?? "" };
  });
  return { type: "message", role: item.role, content: content.length === 0 ? "" : content };
}
