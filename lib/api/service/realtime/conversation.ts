/**
 * The items of a realtime session, in their order.
 *
 * @module
 */
import type { RealtimeItem } from "../../../protocol/mod.ts";
import { invalidField, notFound } from "../../../errors/svc_error.ts";

/** Bounds of a conversation: its items, and the characters of all of them, images included. */
export const MAX_CONVERSATION: { readonly items: number; readonly characters: number } = {
  items: 2_000,
  characters: 16 * 2 ** 20,
};

/** A sentence of an answer that was spoken, and where its sound ends, in milliseconds from the start of the item. */
export interface SpokenSentence {
  readonly text: string;
  readonly end: number;
}

interface Entry {
  item: RealtimeItem;
  size: number;
  /** What was spoken of it. */
  readonly spoken: readonly SpokenSentence[];
}

/** Keeps items by their order. */
export class Conversation {
  #entries: Entry[] = [];
  #characters = 0;

  /** All items. */
  get items(): RealtimeItem[] {
    return this.#entries.map(({ item }) => item);
  }

  /**
   * An item.
   *
   * @param param The field that names it.
   * @throws {SvcError} `item_not_found`.
   */
  find(id: string, param: string): RealtimeItem {
    return this.#entries[this.#place(id, param)].item;
  }

  /** The id of the last item; null for none. */
  get last(): string | null {
    return this.#entries.at(-1)?.item.id ?? null;
  }

  /**
   * Adds an item.
   *
   * @param after The id of the item before it, `root` for none, undefined for the last one.
   * @param spoken What is spoken of it, which may grow.
   * @returns The id of the item before it.
   * @throws {SvcError} for an id that is there already, a call or an output that cannot be, and a full conversation.
   */
  add(item: RealtimeItem, after?: string, spoken: readonly SpokenSentence[] = []): string | null {
    if (this.#entries.some((entry) => entry.item.id === item.id)) {
      throw invalidField("item.id", `Cannot add the item: "item.id" is ${JSON.stringify(item.id)}, which is taken`);
    }
    this.#checkCall(item);
    const at = after === undefined
      ? this.#entries.length
      : after === "root"
      ? 0
      : this.#place(after, "previous_item_id") + 1;
    const size = JSON.stringify(item).length;
    const { items, characters } = MAX_CONVERSATION;
    if (this.#entries.length >= items || this.#characters + size > characters) {
      const message = `Cannot add the item: the conversation has ${this.#entries.length} items of ` +
        `${this.#characters} characters, expected at most ${items} of ${characters}: delete some of them`;
      throw invalidField("item", message);
    }
    this.#entries.splice(at, 0, { item, size, spoken });
    this.#characters += size;
    return this.#entries[at - 1]?.item.id ?? null;
  }

  /** Has an item be another one with the same id; does nothing where it was deleted meanwhile. */
  replace(item: RealtimeItem): void {
    const entry = this.#entries.find((one) => one.item.id === item.id);
    if (entry === undefined) return;
    const size = JSON.stringify(item).length;
    this.#characters += size - entry.size;
    Object.assign(entry, { item, size });
  }

  /** Removes an item. Throws as {@linkcode find}. */
  delete(id: string): void {
    const [{ size }] = this.#entries.splice(this.#place(id, "item_id"), 1);
    this.#characters -= size;
  }

  /**
   * Shortens a spoken item to what the listener got.
   *
   * @param end Milliseconds of its sound.
   * @throws {SvcError} `item_not_found`, and for an item without sound or with less of it.
   */
  truncate(id: string, contentIndex: number, end: number): void {
    const { item, spoken } = this.#entries[this.#place(id, "item_id")];
    const part = item.type === "message" && item.role === "assistant" ? item.content[contentIndex] : undefined;
    if (item.type !== "message" || part?.kind !== "audio") {
      const message =
        `Cannot truncate the item: its part ${contentIndex} is not sound of the model, expected one that is`;
      throw invalidField("content_index", message);
    }
    const whole = Math.ceil(spoken.at(-1)?.end ?? 0);
    if (end > whole) {
      const message =
        `Cannot truncate the item: "audio_end_ms" is ${end}, expected at most ${whole}, where its sound ends`;
      throw invalidField("audio_end_ms", message);
    }
    const content = item.content.with(contentIndex, { kind: "audio", transcript: heardText(spoken, end) });
    this.replace({ ...item, content });
  }

  #place(id: string, param: string): number {
    const at = this.#entries.findIndex(({ item }) => item.id === id);
    if (at >= 0) return at;
    throw notFound("item_not_found", `Cannot find the item ${JSON.stringify(id)}: the conversation has none`, param);
  }

  #checkCall(item: RealtimeItem): void {
    if (item.type === "message") return;
    const id = item.call_id;
    const same = this.items.filter((one) => one.type !== "message" && one.call_id === id);
    const what = item.type === "function_call" ? "call" : "output";
    if (same.some(({ type }) => type === item.type)) {
      const message = `Cannot add the item: "item.call_id" is ${JSON.stringify(id)}, which an earlier ${what} has`;
      throw invalidField("item.call_id", message);
    }
    if (what === "output" && same.length === 0) {
      const message = `Cannot add the item: "item.call_id" is ${JSON.stringify(id)}, expected the call_id of an ` +
        "earlier function_call";
      throw invalidField("item.call_id", message);
    }
  }
}

/** What was said up to a time: whole sentences, and of the one that was cut off the words that were heard. */
export function heardText(spoken: readonly SpokenSentence[], end: number): string {
  let start = 0;
  let text = "";
  for (const sentence of spoken) {
    if (sentence.end <= end) {
      text += sentence.text;
      start = sentence.end;
      continue;
    }
    const words = sentence.text.split(/(?<=\s)(?=\S)/u);
    const part = Math.floor(words.length * Math.max(0, end - start) / (sentence.end - start));
    return text + words.slice(0, part).join("");
  }
  return text;
}
