import type { JsonSchema } from "../../lib/manifest/mod.ts";
import { completeWord, type Suggestion, type Suggestions } from "../../lib/manifest/complete_json.ts";

/** Most suggestions at the same time. */
const MOST = 12;

/** Suggestions below the caret of a text, which keeps the focus. */
export class SuggestionList {
  readonly #text: HTMLTextAreaElement;
  readonly #list: HTMLUListElement;
  readonly #schema: JsonSchema;
  #shown: Suggestions | undefined;
  #active = 0;

  constructor(text: HTMLTextAreaElement, list: HTMLUListElement, schema: JsonSchema) {
    this.#text = text;
    this.#list = list;
    this.#schema = schema;
    text.addEventListener("keydown", (event) => this.#key(event));
    text.addEventListener("blur", () => this.hide());
    text.addEventListener("scroll", () => this.hide());
    text.addEventListener("pointerdown", () => this.hide());
  }

  /** Shows what fits at the caret, when a word has been begun there or `always`. */
  show({ always = false } = {}): void {
    const { selectionStart, selectionEnd, value } = this.#text;
    const found = completeWord(value, selectionStart, this.#schema);
    const begun = found.from < selectionStart;
    if (selectionStart !== selectionEnd || found.items.length === 0 || !(begun || always)) return this.hide();
    this.#shown = { ...found, items: found.items.slice(0, MOST) };
    this.#active = 0;
    this.#list.replaceChildren(...this.#shown.items.map((item, i) => this.#option(item, i)));
    this.#list.hidden = false;
    this.#place(found.from);
    this.#mark();
  }

  /** Takes the list away. */
  hide(): void {
    this.#shown = undefined;
    this.#list.hidden = true;
    this.#text.removeAttribute("aria-activedescendant");
  }

  #option({ label, detail }: Suggestion, index: number): HTMLLIElement {
    const option = document.createElement("li");
    option.role = "option";
    option.id = `suggestion-${index}`;
    const name = document.createElement("b");
    name.textContent = label;
    const about = document.createElement("span");
    about.textContent = detail;
    option.append(name, about);
    option.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // the text keeps the focus
      this.#active = index;
      this.#take();
    });
    return option;
  }

  #key(event: KeyboardEvent): void {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      return this.show({ always: true });
    }
    const shown = this.#shown;
    if (!shown) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      this.#active = (this.#active + step + shown.items.length) % shown.items.length;
      this.#mark();
    } else if (event.key === "Enter" || event.key === "Tab") this.#take();
    else if (event.key === "Escape") this.hide();
    else {
      if (!["Shift", "Control", "Alt", "Meta"].includes(event.key) && event.key.length > 1) this.hide();
      return;
    }
    event.preventDefault();
  }

  #mark(): void {
    for (const [i, option] of [...this.#list.children].entries()) {
      option.ariaSelected = String(i === this.#active);
      if (i === this.#active) option.scrollIntoView({ block: "nearest" });
    }
    this.#text.setAttribute("aria-activedescendant", `suggestion-${this.#active}`);
  }

  #take(): void {
    const { from, to, items } = this.#shown!;
    const { insert, value, inside } = items[this.#active];
    const caret = from + insert.length + value.length - inside;
    this.hide();
    this.#text.setSelectionRange(from, to);
    // Unlike a new value, this can be undone; where it does not exist, the value is set.
    if (!document.execCommand("insertText", false, insert + value)) this.#text.setRangeText(insert + value);
    this.#text.setSelectionRange(caret, caret);
    this.#text.dispatchEvent(new Event("input"));
  }

  /** Below the line of an offset: lines do not wrap and all characters are equally wide. */
  #place(offset: number): void {
    const before = this.#text.value.slice(0, offset).split("\n");
    const { lineHeight, paddingTop, paddingLeft, fontSize } = getComputedStyle(this.#text);
    const top = parseFloat(paddingTop) + before.length * parseFloat(lineHeight) - this.#text.scrollTop;
    const left = parseFloat(paddingLeft) + before.at(-1)!.length * parseFloat(fontSize) * 0.6 - this.#text.scrollLeft;
    const most = this.#text.clientWidth - this.#list.offsetWidth - 8;
    this.#list.style.top = `${this.#text.offsetTop + top + 2}px`;
    this.#list.style.left = `${this.#text.offsetLeft + Math.max(0, Math.min(left, most))}px`;
  }
}
