/** Signatures of exported names, as written in the sources. */

const CLOSING = /** @type {Record<string, string>} */ ({ "(": ")", "[": "]", "{": "}", "<": ">" });

/**
 * The text of a declaration up to its body, its value or its end.
 *
 * @param {string} source
 * @param {number} start where the declaration begins
 * @param {string} kind kind of the declaration: a type alias is shown with its value
 * @returns {string}
 */
export function signatureAt(source, start, kind) {
  /** @type {string[]} */
  const open = [];
  let at = start;
  for (; at < source.length; at++) {
    const c = source[at];
    if (c === '"' || c === "'" || c === "`") at = endOfString(source, at);
    else if (source.startsWith("/*", at)) at = source.indexOf("*/", at) + 1;
    else if (source.startsWith("//", at)) at = source.indexOf("\n", at);
    else if (c === "=" && source[at + 1] === ">") at++;
    else if (open.length === 0 && c === ";") break;
    else if (open.length === 0 && c === "=" && kind !== "typeAlias") break;
    else if (c === "{" && open.length === 0 && isBody(source, start, at, kind)) break;
    else if (c in CLOSING) open.push(CLOSING[c]);
    else if (c === open.at(-1)) open.pop();
  }
  const text = source.slice(start, at).replace(/\/\*\*?[\s\S]*?\*\/\s*/g, "").trim();
  return text.replace(/^export /, "").replace(/^(?:async )?(static )?(?:async )?\*?/, "$1");
}

/** Whether a brace opens a body: the one of a type follows a colon, a bar or an arrow. */
function isBody(source, start, at, kind) {
  if (kind === "typeAlias") return false;
  return !/(?:[:|&=<,]|=>|extends|readonly)\s*$/.test(source.slice(Math.max(start, at - 40), at));
}

function endOfString(source, at) {
  const quote = source[at];
  for (at++; at < source.length && source[at] !== quote; at++) if (source[at] === "\\") at++;
  return at;
}

/**
 * The offset of a place that `deno doc` names, after the doc comment that it may lie in.
 *
 * @param {string} source
 * @param {{ line: number, col: number }} location
 * @returns {number}
 */
export function offsetOf(source, { line, col }) {
  let at = 0;
  for (let i = 1; i < line; i++) at = source.indexOf("\n", at) + 1;
  at += col;
  const end = source.indexOf("*/", at);
  const next = source.indexOf("/*", at);
  // Of some declarations it names a line of the comment.
  return end >= 0 && (next < 0 || end < next) ? end + 2 : at;
}
