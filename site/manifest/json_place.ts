/**
 * Where in the structure of a JSON text an offset is. What follows the offset, and mistakes before it, do not matter.
 *
 * @module
 */

/** A place in a text. */
export interface JsonPlace {
  /** What may be written there: the name of a member, a value, or neither. */
  readonly kind: "name" | "value" | "none";
  /** Names and indices from the whole document to the object or value. */
  readonly path: readonly (string | number)[];
  /** The other members of the object. */
  readonly names: ReadonlySet<string>;
  /** What has been written up to the offset, without quotes. */
  readonly word: string;
  /** Start of the word, its quote included. */
  readonly from: number;
  /** Its end. */
  readonly to: number;
}

interface Frame {
  readonly isObject: boolean;
  readonly names: Set<string>;
  name: string | undefined;
  index: number;
  /** Behind a colon, or at the start of an item. */
  wantsValue: boolean;
}

/** A string, even one that its line ends; a word or number; a mark. */
const TOKEN = /"(?:[^"\\\n]|\\[^\n])*"?|[\w.+-]+|[{}[\]:,]/g;

/** The rest of a name or value behind the caret. */
const REST = /^[\w./-]*"?$/;

/** Finds the place of an offset. */
export function placeIn(text: string, offset: number): JsonPlace {
  const frames: Frame[] = [];
  let rootIsOpen = true;
  let word = "";
  let [from, to] = [offset, offset];
  for (const { 0: token, index } of text.slice(0, endOfToken(text, offset)).matchAll(TOKEN)) {
    const isWord = !/^[{}[\]:,]$/.test(token);
    if (isWord && index < offset && index + token.length >= offset && !isClosedBefore(token, index, offset)) {
      word = text.slice(index, offset).replace(/^"/, "");
      const end = index + token.length;
      // A string that is being written may reach to the next one's quote.
      [from, to] = [index, REST.test(text.slice(offset, end)) ? end : offset];
      break;
    }
    if (index >= offset) break;
    const frame = frames.at(-1);
    if (token === "{" || token === "[") {
      rootIsOpen = false;
      frames.push({ isObject: token === "{", names: new Set(), name: undefined, index: 0, wantsValue: token === "[" });
    } else if (token === "}" || token === "]") {
      frames.pop();
      const outer = frames.at(-1);
      if (outer) outer.wantsValue = false;
    } else if (token === ":") {
      if (frame?.isObject) frame.wantsValue = true;
    } else if (token === ",") {
      if (!frame) continue;
      frame.index++;
      frame.wantsValue = !frame.isObject;
      frame.name = undefined;
    } else if (frame?.isObject && !frame.wantsValue) {
      frame.name = textOf(token);
      frame.names.add(frame.name);
    } else if (frame) frame.wantsValue = false;
    else rootIsOpen = false;
  }
  const frame = frames.at(-1);
  const outer = frames.slice(0, -1).map(({ isObject, name = "", index }) => isObject ? name : index);
  const names = new Set([...frame?.names ?? [], ...frame?.isObject ? namesAfter(text, to) : []]);
  const place = { names, word, from, to };
  if (!frame) return { ...place, kind: rootIsOpen ? "value" : "none", path: [] };
  if (frame.isObject && !frame.wantsValue) {
    return { ...place, kind: frame.name === undefined ? "name" : "none", path: outer };
  }
  const step = frame.isObject ? frame.name ?? "" : frame.index;
  return { ...place, kind: frame.wantsValue ? "value" : "none", path: [...outer, step] };
}

/** A caret behind a closing quote is behind the word. */
function isClosedBefore(token: string, index: number, offset: number): boolean {
  return index + token.length === offset && token.length > 1 && token.startsWith('"') && token.endsWith('"');
}

function endOfToken(text: string, offset: number): number {
  const rest = /^[^\n]*/.exec(text.slice(offset));
  return offset + (rest?.[0].length ?? 0);
}

/** Names of the members that follow in the same object. */
function namesAfter(text: string, from: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let last: string | undefined;
  for (const [token] of text.slice(from).matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") {
      if (--depth < 0) break;
    } else if (depth === 0 && token === ":" && last !== undefined) found.push(last);
    last = depth === 0 && token.startsWith('"') ? textOf(token) : undefined;
  }
  return found;
}

function textOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replace(/^"|"$/g, "");
  }
}
