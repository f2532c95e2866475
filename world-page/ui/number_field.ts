import { byId } from "./dom.ts";

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
