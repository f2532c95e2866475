/**
 * The messages of a chat on the page.
 *
 * @module
 */
import type { WireToolCall } from "../lib/protocol/chat/chat_wire.ts";
import { element, setText } from "../world-page/ui/dom.ts";
import type { ChatAnswer } from "./chat_answer.ts";

/** A message as requests have it. */
export type Message = Readonly<Record<string, unknown>>;

/** An answer on the page. */
export class AnswerView {
  readonly item: HTMLElement;
  readonly #reasoning = element("p", {});
  readonly #fold: HTMLElement = element(
    "details",
    { hidden: "" },
    element("summary", {}, "Reasoning"),
    this.#reasoning,
  );
  readonly #text = element("p", {});
  readonly #calls = element("ul", { class: "calls" });

  constructor() {
    const parts = [element("h3", {}, "Model"), this.#fold, this.#text, this.#calls];
    this.item = element("article", { class: "assistant" }, ...parts);
  }

  show({ text, reasoning, calls }: ChatAnswer): void {
    this.#fold.hidden = reasoning === "";
    setText(this.#reasoning, reasoning);
    setText(this.#text, text);
    for (const call of calls.slice(this.#calls.childElementCount)) this.#calls.append(callItem(call));
  }

  end(facts: string, actions: readonly Node[]): void {
    this.item.append(element("p", { class: "hint" }, facts), ...actions);
  }
}

/** A message of the user, or the result of a tool. */
export function messageItem({ role, content, tool_call_id }: Message): HTMLElement {
  const who = role === "user" ? "You" : `Result of ${tool_call_id}`;
  return element("article", { class: `${role}` }, element("h3", {}, who), element("p", {}, `${content}`));
}

function callItem({ id, function: { name, arguments: given } }: WireToolCall): HTMLElement {
  return element("li", { "data-call": id }, element("strong", {}, name), element("pre", {}, indented(given)));
}

/** Asks for what the tools have answered; the page has none of its own. */
export function resultForm(
  calls: readonly WireToolCall[],
  onResults: (results: readonly Message[]) => Promise<boolean>,
): HTMLElement {
  const fields = calls.map(() => element("textarea", { rows: "2", required: "" }));
  const labels = calls.map(({ function: { name } }, i) => element("label", {}, `Result of ${name}`, fields[i]));
  const form = element("form", { class: "more" }, ...labels, element("button", {}, "Send the results"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.hidden = true;
    const results = calls.map(({ id }, i) => ({ role: "tool", tool_call_id: id, content: fields[i].value }));
    form.hidden = await onResults(results);
  });
  return form;
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
