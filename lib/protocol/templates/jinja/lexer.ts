/**
 * Splits a template into tokens as Jinja does with `trim_blocks` and `lstrip_blocks`, the settings of chat templates.
 *
 * @module
 */

/** What a token is: text between tags, the marks of tags, or a part of an expression. */
export type TokenKind =
  | "data"
  | "variable_begin"
  | "variable_end"
  | "block_begin"
  | "block_end"
  | "name"
  | "string"
  | "integer"
  | "float"
  | "operator"
  | "eof";

/** A part of a template. */
export interface Token {
  readonly kind: TokenKind;
  readonly value: string;
}

/** Characters that Python counts as space. */
export const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const space = new RegExp(`[${SPACE}]*`, "y");
const onlySpace = new RegExp(`^[${SPACE}]+$`);
const rawBegin = new RegExp(`[${SPACE}]*raw[${SPACE}]*(?:-%\\}[${SPACE}]*|%\\})`, "y");
const rawEnd = new RegExp(`\\{%([-+]?)[${SPACE}]*endraw[${SPACE}]*(?:\\+%\\}|-%\\}[${SPACE}]*|%\\}\\n?)`, "g");
const blockEnd = new RegExp(`\\+%\\}|-%\\}[${SPACE}]*|%\\}\\n?`, "y");
const variableEnd = new RegExp(`-\\}\\}[${SPACE}]*|\\}\\}`, "y");
const commentEnd = new RegExp(`\\+#\\}|-#\\}[${SPACE}]*|#\\}\\n?`, "g");
const begin = /\{[%{#]/g;

const float = /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/y;
const integer = /0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*/y;
const name = /[\p{L}\p{N}\p{M}_\p{Pc}]+/uy;
const identifier = /^[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}\p{Pc}]*$/u;
const string = /'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y;
const operator = /\/\/|\*\*|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** @throws {SyntaxError} when the text is not Jinja. */
export function tokenize(source: string): Token[] {
  const text = source.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const tokens: Token[] = [];
  let at = 0;
  /** Whether the previous match ended a line, so that space before a tag begins one. */
  let atLineStart = true;
  const push = (kind: TokenKind, value: string): void => {
    if (kind !== "data" || value !== "") tokens.push({ kind, value });
  };
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found?.index !== undefined && pattern.sticky) at = pattern.lastIndex;
    return found;
  };
  const endOf = (found: RegExpExecArray): void => {
    at = found.index + found[0].length;
    atLineStart = found[0].endsWith("\n");
  };

  while (at < text.length) {
    begin.lastIndex = at;
    const found = begin.exec(text);
    if (found === null) {
      push("data", text.slice(at));
      break;
    }
    const before = text.slice(at, found.index);
    at = found.index + 2;
    const sign = /[-+]/.test(text[at] ?? "") ? text[at++] : "";
    push("data", stripped(before, sign, found[0] === "{{", atLineStart));
    atLineStart = false;
    if (found[0] === "{#") {
      const end = match(commentEnd);
      if (end === null) throw new SyntaxError("a comment has no end");
      endOf(end);
    } else if (found[0] === "{%" && match(rawBegin) !== null) {
      const start = at;
      const end = match(rawEnd);
      if (end === null) throw new SyntaxError("a raw block has no end");
      push("data", stripped(text.slice(start, end.index), end[1], false, text[start - 1] === "\n"));
      endOf(end);
    } else {
      readTag(found[0] === "{{" ? "variable" : "block");
    }
  }
  push("eof", "");
  return tokens;

  function readTag(tag: "variable" | "block"): void {
    push(`${tag}_begin`, "");
    const brackets: string[] = [];
    for (;;) {
      const end = brackets.length === 0 ? match(tag === "block" ? blockEnd : variableEnd) : null;
      if (end !== null) {
        atLineStart = end[0].endsWith("\n");
        push(`${tag}_end`, "");
        return;
      }
      if (match(space)![0] !== "") continue;
      if (at >= text.length) throw new SyntaxError(`a ${tag} has no end`);
      readToken(brackets);
    }
  }

  function readToken(brackets: string[]): void {
    const number = text[at - 1] === "." ? null : match(float);
    if (number !== null) return push("float", number[0].replaceAll("_", ""));
    const whole = match(integer);
    if (whole !== null) return push("integer", whole[0].replaceAll("_", ""));
    const word = match(name);
    if (word !== null) {
      if (!identifier.test(word[0])) throw new SyntaxError(`${word[0]} is not a name`);
      return push("name", word[0]);
    }
    const quoted = match(string);
    if (quoted !== null) return push("string", unescaped(quoted[1] ?? quoted[2]));
    const sign = match(operator)?.[0];
    if (sign === undefined) throw new SyntaxError(`unexpected ${JSON.stringify(text[at])}`);
    if (closing[sign] !== undefined) brackets.push(closing[sign]);
    else if (/^[\])}]$/.test(sign) && brackets.pop() !== sign) throw new SyntaxError(`unexpected ${sign}`);
    push("operator", sign);
  }
}

/** The text before a tag: `-` takes all space away, and a line that has only space before a block loses it. */
function stripped(text: string, sign: string, variable: boolean, atLineStart: boolean): string {
  if (sign === "-") return trimEnd(text);
  if (sign === "+" || variable) return text;
  const line = text.lastIndexOf("\n") + 1;
  return (line > 0 || atLineStart) && onlySpace.test(text.slice(line)) ? text.slice(0, line) : text;
}

const spaceSet = new RegExp(`[${SPACE}]`);

/** `str.rstrip()`. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && spaceSet.test(text[end - 1])) end--;
  return text.slice(0, end);
}

/** `str.lstrip()`. */
export function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && spaceSet.test(text[start])) start++;
  return text.slice(start);
}

const escapes: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The text of a string literal; Python keeps a backslash before what is not an escape. */
function unescaped(literal: string): string {
  return literal.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (all, x, u, long, octal, one) => {
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      const hex = x ?? u ?? long;
      if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
      if (/[xuUN]/.test(one)) throw new SyntaxError(`${all} is not an escape of a character`);
      return escapes[one] ?? all;
    },
  );
}
