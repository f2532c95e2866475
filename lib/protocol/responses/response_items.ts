/**
 * The items of OpenAI's Responses, and their translation into the messages of a chat.
 *
 * @module
 */
import * as v from "valibot";
import { invalidField } from "../../errors/svc_error.ts";
import { listField } from "../../json/bounded_fields.ts";
import type { Places } from "../chat/dialect.ts";
import { variants } from "../chat/variants.ts";

const any = v.optional(v.unknown());
const text = v.string("expected a string");
const id = v.pipe(text, v.nonEmpty("expected an id"));
const texts = v.nullish(
  listField(v.object({ type: any, text }), { max: 1024, expected: "expected an array of at most 1024 texts" }),
);
const outputExpected = "expected a string or an array of at most 1024 parts";
const outputPart = variants({
  input_text: v.object({ type: any, text }),
  input_image: v.object({ type: any, image_url: text, detail: any, file_id: v.nullish(v.null("expected none")) }),
}, "a part");
const outputParts = listField(outputPart, { max: 1024, expected: outputExpected });

const items = variants(
  {
    // What a message holds is read as that of a chat.
    message: v.object({ type: any, role: any, content: any, id: any, status: any, phase: any }),
    function_call: v.object({
      type: any,
      id: any,
      call_id: id,
      name: text,
      arguments: text,
      status: any,
      namespace: any,
    }),
    function_call_output: v.object({
      type: any,
      id: any,
      call_id: id,
      output: v.lazy((value) => Array.isArray(value) ? outputParts : v.string(outputExpected)),
      status: any,
    }),
    reasoning: v.object({ type: any, id: any, summary: texts, content: texts, encrypted_content: any, status: any }),
    item_reference: v.object({ type: any, id }),
  },
  "an item",
  {},
  "message",
);

const MAX_ITEMS = 10_000;
const inputExpected = `expected a string or an array of 1 to ${MAX_ITEMS} items`;
const itemList = listField(items, { min: 1, max: MAX_ITEMS, expected: inputExpected });

/** A text of a reasoning item, or of an answer. */
interface ItemText {
  readonly text: string;
}

/** An item as it is sent and kept. */
export type ResponseItem =
  & { readonly id?: string }
  & (
    | { readonly type?: "message"; readonly role: string; readonly content: unknown; readonly status?: string }
    | {
      readonly type: "function_call";
      readonly call_id: string;
      readonly name: string;
      readonly arguments: string;
      readonly status?: string;
    }
    | {
      readonly type: "function_call_output";
      readonly call_id: string;
      readonly output: string | readonly OutputPart[];
    }
    | {
      readonly type: "reasoning";
      readonly summary?: readonly ItemText[] | null;
      readonly content?: readonly ItemText[] | null;
      readonly status?: string;
    }
    | { readonly type: "item_reference"; readonly id: string }
  );

type OutputPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string };

/** `input`: a text, or items. */
export const inputField: v.GenericSchema<unknown, string | readonly ResponseItem[]> = v.lazy((value) =>
  Array.isArray(value) ? itemList : v.string(inputExpected)
) as v.GenericSchema<unknown, string | readonly ResponseItem[]>;

/** An item, and where the request has it. */
export interface PlacedItem {
  readonly item: ResponseItem;
  readonly path: string;
}

interface Turn {
  readonly content: unknown[];
  readonly reasoning: string[];
  readonly calls: unknown[];
}

/**
 * Translates items: reasoning, text and calls of one turn become one message of the model.
 *
 * @param instructions The first message, of the system.
 * @throws {SvcError} for an output without its call, and for an id that is there already.
 */
export function itemMessages(
  instructions: string | null | undefined,
  placed: readonly PlacedItem[],
  places: Places,
): readonly Record<string, unknown>[] {
  const walk = new Walk(places);
  if (instructions) walk.add("instructions", { role: "system", content: instructions });
  for (const { item, path } of placed) walk.item(item, path);
  walk.endTurn();
  return walk.messages;
}

class Walk {
  readonly messages: Record<string, unknown>[] = [];
  readonly #places: Places;
  readonly #calls = new Set<string>();
  readonly #outputs = new Set<string>();
  #turn: Turn | undefined;
  #turnPath = "";
  /** Images of outputs, which only messages of users have. */
  #images: [part: unknown, path: string][] = [];

  constructor(places: Places) {
    this.#places = places;
  }

  item(item: ResponseItem, path: string): void {
    if (item.type !== "function_call_output") this.#endOutputs();
    switch (item.type) {
      case "reasoning":
        return this.#reasoning(item.content?.length ? item.content : item.summary ?? [], path);
      case "function_call":
        return this.#call(item, path);
      case "function_call_output":
        return this.#output(item, path);
      case "item_reference":
        throw new Error(`Cannot translate ${path}: the reference was not resolved`);
      default:
        return this.#message(item, path);
    }
  }

  endTurn(): void {
    this.#endOutputs();
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined) return;
    const { content, reasoning, calls } = turn;
    this.add(this.#turnPath, {
      role: "assistant",
      content: content.length === 0
        ? ""
        : content.length === 1 && typeof content[0] === "string"
        ? content[0]
        : content,
      ...reasoning.length === 0 ? {} : { reasoning_content: reasoning.join("\n\n") },
      ...calls.length === 0 ? {} : { tool_calls: calls },
    });
  }

  add(path: string, message: Record<string, unknown>): void {
    this.#places.set(`messages[${this.messages.length}]`, path);
    this.messages.push(message);
  }

  #message({ role, content }: Extract<ResponseItem, { role: string }>, path: string): void {
    if (role !== "assistant") {
      this.endTurn();
      return this.add(path, { role, content });
    }
    // A second text, or a text after calls, is another turn.
    if (this.#turn === undefined || this.#turn.content.length > 0 || this.#turn.calls.length > 0) this.#begin(path);
    if (Array.isArray(content)) this.#turn!.content.push(...content.map(plainPart));
    else this.#turn!.content.push(content);
    this.#turnPath = path;
  }

  #reasoning(texts: readonly ItemText[], path: string): void {
    if (this.#turn === undefined || this.#turn.content.length > 0 || this.#turn.calls.length > 0) this.#begin(path);
    this.#turn!.reasoning.push(...texts.map(({ text }) => text));
  }

  #call(item: Extract<ResponseItem, { type: "function_call" }>, path: string): void {
    const param = `${path}.call_id`;
    if (this.#calls.has(item.call_id)) throw twice(param, item.call_id, "call");
    this.#calls.add(item.call_id);
    if (this.#turn === undefined) this.#begin(path);
    const place = `messages[${this.messages.length}].tool_calls[${this.#turn!.calls.length}]`;
    this.#places.set(place, path);
    this.#places.set(`${place}.id`, param);
    this.#places.set(`${place}.function`, path);
    const called = { name: item.name, arguments: item.arguments };
    this.#turn!.calls.push({ id: item.call_id, type: "function", function: called });
  }

  #output({ call_id: id, output }: Extract<ResponseItem, { type: "function_call_output" }>, path: string): void {
    const param = `${path}.call_id`;
    if (!this.#calls.has(id)) {
      const message = `Cannot complete the chat: "${param}" is ${JSON.stringify(id)}, expected the call_id of an ` +
        "earlier function_call";
      throw invalidField(param, message);
    }
    if (this.#outputs.has(id)) throw twice(param, id, "output");
    this.#outputs.add(id);
    const images = this.#images;
    this.#images = [];
    this.endTurn();
    this.#images = images;
    const parts = typeof output === "string" ? [{ type: "input_text", text: output } as const] : output;
    const text = parts.flatMap((part) => part.type === "input_text" ? [part.text] : []).join("\n");
    this.add(path, { role: "tool", tool_call_id: id, content: text });
    for (const [j, part] of parts.entries()) {
      if (part.type !== "input_image") continue;
      this.#images.push([{ type: "input_text", text: `Image of the output of ${id}:` }, path]);
      this.#images.push([part, `${path}.output[${j}]`]);
    }
  }

  #endOutputs(): void {
    const images = this.#images;
    this.#images = [];
    if (images.length === 0) return;
    for (const [j, [, path]] of images.entries()) {
      this.#places.set(`messages[${this.messages.length}].content[${j}]`, path);
    }
    this.add(images[0][1], { role: "user", content: images.map(([part]) => part) });
  }

  #begin(path: string): void {
    this.endTurn();
    this.#turn = { content: [], reasoning: [], calls: [] };
    this.#turnPath = path;
  }
}

/** A part without what only answers have, such as annotations. */
function plainPart(part: unknown): unknown {
  const { type, text } = (part ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  return type === "output_text" && typeof text === "string" ? { type, text } : part;
}

function twice(param: string, id: string, what: "call" | "output"): Error {
  const message = `Cannot complete the chat: "${param}" is ${JSON.stringify(id)}, which an earlier ${what} has, ` +
    "expected each id once";
  return invalidField(param, message);
}
