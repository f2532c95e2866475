import { byId } from "./dom.ts";

/**
 * The number in a field of the page; undefined when it is empty or not offered.
 *
 * @throws {Error} in words when something else is in it
 */
export function readNumber(id: string): number | undefined {
  const field = byId(id, HTMLInputElement);
  if (field.closest("[hidden]")) return undefined;
  if (field.validity.badInput) {
    throw new Error(`Cannot walk: what is in the field ${field.labels?.[0]?.textContent} is no number`);
  }
  return field.value === "" ? undefined : field.valueAsNumber;
}
