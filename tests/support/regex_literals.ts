/**
 * Regular expressions of source files, and whether their time grows faster than their text.
 *
 * @module
 */

/** A regular expression as it is written. */
export interface RegexLiteral {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

/** What may stand before a division; anything else stands before a regular expression. */
const VALUE_END = /^[)\]}"`0]$|^[\p{ID_Start}$_#]/u;
const KEYWORD = /^(return|typeof|case|in|of|do|else|void|throw|new|await|yield)$/;

/** All literals of a TypeScript file, by a scan of its tokens. */
export function regexLiterals(text: string): RegexLiteral[] {
  const found: RegexLiteral[] = [];
  const braces: ("{" | "${")[] = [];
  let at = text.startsWith("#!") ? text.indexOf("\n") : 0;
  let before = "";
  const take = (expression: RegExp): string | undefined => {
    expression.lastIndex = at;
    const taken = expression.exec(text)?.[0];
    at += taken?.length ?? 0;
    return taken;
  };
  const skipTemplate = (): void => {
    take(/(?:[^\\`$]|\\[^]|\$(?!\{))*/y);
    before = text[at];
    if (text[at] === "$") braces.push("${");
    at += text[at] === "$" ? 2 : 1;
  };
  while (at < text.length) {
    if (take(/\s+|\/\/.*|\/\*[^]*?\*\//y) !== undefined) continue;
    if (take(/"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/y) !== undefined) {
      before = '"';
      continue;
    }
    const word = take(/[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy) ?? (take(/\d[\w.]*/y) && "0");
    if (word !== undefined) {
      before = word;
      continue;
    }
    const isValue = VALUE_END.test(before) && !KEYWORD.test(before);
    if (text[at] === "/" && !isValue) {
      const start = at;
      const [, source, flags] =
        /^\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/.exec(text.slice(at, at + 4000)) ?? [];
      if (source === undefined) throw new Error(`Cannot read an expression: ${text.slice(at, at + 60)}`);
      found.push({ source, flags, line: text.slice(0, start).split("\n").length });
      at += source.length + flags.length + 2;
      before = '"';
      continue;
    }
    const sign = text[at++];
    before = sign;
    if (sign === "`") skipTemplate();
    else if (sign === "{") braces.push("{");
    else if (sign === "}" && braces.pop() === "${") skipTemplate();
  }
  return found;
}

/** Texts that an expression may repeat itself on: what it says literally, and a letter of each class. */
function pumps(source: string): string[] {
  const plain = source.replace(
    /\\[bBdDwWsSpP](?:\{[^}]*\})?|\(\?[<!:=]{1,2}|\[(?:[^\]\\]|\\.)*\]|[()*+?|^$]|\{\d[^}]*\}/g,
    "\n",
  )
    .replace(
      /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|n|t|r|(.))/gi,
      (_, x, u, other) => x ?? u ? String.fromCharCode(parseInt(x ?? u, 16)) : other ?? "\t",
    );
  const texts = plain.split("\n").filter((text) => text !== "");
  const classes = [...source.matchAll(/\[\^?((?:[^\]\\]|\\.)*)\]/g)].flatMap((
    [, inside],
  ) => [...inside.replaceAll("\\", "")]);
  const letters = [" ", "\t", "a", "0", "/", ".", "-", "_", ...classes.slice(0, 12)];
  const long = [texts.join(""), ...texts].filter((text, i, all) => text !== "" && all.indexOf(text) === i).slice(0, 6);
  return [
    ...new Set([...letters, ...long, ...long.flatMap((text) => [`${text}a`, `${text} `, ` ${text}`, `a${text}`])]),
  ];
}

/** Something like a text that an expression matches: each piece once, of a class its first letter. */
function sampleOf(source: string): string {
  return source.replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, "(")
    .replace(/\[\^?(?:\\(.)|([^\]\\]))(?:[^\]\\]|\\.)*\]|\\([dwsbDWSB])|\\(.)|[()*+?^$]|\{\d[^}]*\}|\|[^)]*/g, (
      _,
      escaped,
      first,
      kind,
      letter,
    ) =>
      first ?? (escaped ?? kind)?.replace(/[a-zA-Z]/, (k: string) => ({ d: "0", w: "a", s: " " })[k] ?? "") ?? letter ??
        "");
}

/** Milliseconds of one search, the least of three where it is not quick. */
function milliseconds({ source, flags }: RegexLiteral, text: string): number {
  let least = Infinity;
  for (let i = 0; i < 3 && least > 4 && (i === 0 || least < 300); i++) {
    const expression = new RegExp(source, flags);
    const began = performance.now();
    if (flags.includes("g")) text.replace(expression, "");
    else expression.exec(text);
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

/** Characters, or three where more are repeated. */
const [SHORT, LONG] = [3_000, 12_000];

/** A text on which an expression takes much longer than a text of a quarter predicts, described; undefined for none. */
export function growth(literal: RegexLiteral): string | undefined {
  const sample = sampleOf(literal.source);
  const quarters = [0, 1, 2, 3, 4].map((part) => Math.ceil(part * sample.length / 4));
  const slices = quarters.flatMap((from, i) => quarters.slice(i + 1).map((to) => sample.slice(from, to)));
  const all = [...new Set([...pumps(literal.source), ...slices])].filter((pump) => pump !== "");
  const starts = [
    ...new Set(["", ...[0.25, 0.5, 0.75, 1].map((part) => sample.slice(0, Math.ceil(part * sample.length)))]),
  ];
  for (const pump of all) {
    for (const start of starts) {
      const text = (size: number): string => `${start}${pump.repeat(size / Math.min(3, pump.length))}\0`;
      const short = milliseconds(literal, text(SHORT));
      if (short < 0.4) continue;
      const long = milliseconds(literal, text(LONG));
      if (long > 9 * short && long > 8) {
        return `${JSON.stringify(start)} + ${JSON.stringify(pump)} repeated: ${short.toFixed(1)} ms for ${SHORT} ` +
          `characters, ${long.toFixed(0)} ms for ${LONG}`;
      }
    }
  }
  return undefined;
}
