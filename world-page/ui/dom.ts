/**
 * Typed access to the document: elements, fields and the dialog that confirms a loss.
 *
 * @module
 */
/**
 * The element of the document with this id.
 *
 * @throws {Error} when the document has none of this type
 */
export function byId<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`Cannot find #${id}: the page has no ${type.name} with that id`);
}

/** A new HTML element with attributes and children; undefined attributes are omitted. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** A new SVG element with attributes and children; undefined attributes are omitted. */
export function svgElement<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A button. */
export function button(label: string, onClick: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", onClick);
  return made;
}

/** Sets a text only if it differs, so that screen readers announce changes only. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

function filled<T extends Element>(
  target: T,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly (Node | string)[],
): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) target.setAttribute(name, value);
  }
  target.append(...children);
  return target;
}

/**
 * The number in a field of the page; undefined when it is empty or hidden.
 *
 * @throws {Error} when the field is not a number
 */
export function readNumber(id: string): number | undefined {
  const field = byId(id, HTMLInputElement);
  if (field.closest("[hidden]")) return undefined;
  if (field.validity.badInput) {
    throw new Error(`Cannot walk: the field ${field.labels?.[0]?.textContent} is not a number`);
  }
  return field.value === "" ? undefined : field.valueAsNumber;
}

/**
 * Asks before something is lost.
 *
 * @param yes label of the confirming button
 * @returns whether the user confirms; Escape means no
 */
export function confirmLoss(question: string, yes: string): Promise<boolean> {
  const dialog = byId("confirm", HTMLDialogElement);
  byId("confirm-text", HTMLElement).textContent = question;
  byId("confirm-yes", HTMLButtonElement).textContent = yes;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
