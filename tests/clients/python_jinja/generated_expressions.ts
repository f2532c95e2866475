/**
 * Expressions of Jinja made by chance, the same for a seed on every machine.
 *
 * @module
 */

/** What the value of an expression is. */
export type Kind = "text" | "whole" | "float" | "bool" | "list" | "dict" | "any";

/** All of them. */
export const KINDS: readonly Kind[] = ["text", "whole", "float", "bool", "list", "dict", "any"];

/** Makes expressions out of the variables that there are. */
export class ExpressionGenerator {
  protected state: number;
  /** Variables that hold a value of a kind where the template is. */
  protected scope: { readonly name: string; readonly kind: Kind }[] = [];
  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  protected next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  protected below(count: number): number {
    return Math.floor(this.next() * count);
  }

  protected one<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)];
  }

  /** One of some texts with semicolons between them. */
  protected among(choices: string): string {
    return this.one(choices.split(" ; "));
  }

  protected chance(part: number): boolean {
    return this.next() < part;
  }

  /** An expression that can be a part of another one. */
  protected closed(expression: string): string {
    return /^[\w.]+$|^'[^']*'$/.test(expression) || this.chance(0.02) ? expression : `(${expression})`;
  }

  protected of(kind: Kind): string {
    switch (kind) {
      case "text":
        return this.text1();
      case "whole":
        return this.whole();
      case "float":
        return this.float();
      case "bool":
        return this.bool();
      case "list":
        return this.list();
      case "dict":
        return this.dict();
      default:
        return this.any();
    }
  }

  protected known(kind: Kind): string | undefined {
    const names = this.scope.filter((one) => one.kind === kind);
    return names.length > 0 && this.chance(0.5) ? this.one(names).name : undefined;
  }

  protected any(): string {
    return this.closed(this.anySource());
  }

  protected anySource(): string {
    const known = this.known("any");
    if (known !== undefined) return known;
    return this.one<() => string>([
      () => this.text1(),
      () => this.text1(),
      () => this.whole(),
      () => this.float(),
      () => this.bool(),
      () => this.list(),
      () => this.dict(),
      () => this.one(["none", "missing", "True", "''", "[]", "{}", "()", "(1,)", "[1, 'a', none, 1.5]"]),
      () =>
        `${this.any()} | tojson${
          this.one(["", "(indent=2)", "(sort_keys=True)", "(separators=(',', ':'))", "(ensure_ascii=True)"])
        }`,
      () => `${this.any()} if ${this.bool()}${this.one(["", ` else ${this.any()}`])}`,
      () => `${this.any()} ${this.one(["or", "and"])} ${this.any()}`,
      () => `${this.any()} | default(${this.any()}${this.one(["", ", true"])})`,
      () => `${this.list()} | ${this.one(["first", "last", "max", "min"])}`,
      () =>
        `${this.dict()}${
          this.one([".a", "['b']", ".get('a')", ".get('z', 9)", ".items() | list", ".keys() | list", ".z"])
        }`,
    ])();
  }

  protected string(): string {
    return this.among(
      "'abc' ; \"it's\" ; 'a\\nb' ; '\\u00e9\\t' ; 'x😀y' ; '  pad ' ; '' ; 'A-b_c d' ; '\\d\\\\' ; " +
        "'12' ; '1.50' ; 'aXbXc' ; '<b>&' ; 'line1\\n\\n  line2\\n' ; 'HeLLo wOrld' ; 'ß' ; '%s' ; " +
        "'a' 'b' ; \"q'\\\"q\"",
    );
  }

  protected text1(): string {
    return this.closed(this.text1Source());
  }

  protected text1Source(): string {
    const known = this.known("text");
    if (known !== undefined) return known;
    const text = () => this.chance(0.6) ? this.string() : `(${this.text1()})`;
    return this.one<() => string>([
      () => this.string(),
      () => this.string(),
      () => this.one(["messages[0].content", "messages[-1]['role']", "bos_token", "word"]),
      () => `${text()} ~ ${this.any()}`,
      () => `${text()} + ${text()}`,
      () => `${text()} * ${this.below(4)}`,
      () =>
        `${text()}[${this.one(["", "1", "-2", "0"])}:${this.one(["", "3", "-1", "99"])}${this.one(["", ":2", ":-1"])}]`,
      () =>
        `${text()}.${
          this.among(
            "upper() ; lower() ; strip() ; lstrip('a ') ; rstrip('\\n') ; title() ; capitalize() ; " +
              "replace('a', 'bb') ; replace('', '-', 2) ; removeprefix('a') ; swapcase() ; zfill(6) ; " +
              "center(9, '*') ; ljust(7) ; rjust(7, '.') ; join(['p', 'q']) ; strip('ab') ; casefold() ; " +
              "expandtabs(4)",
          )
        }`,
      () =>
        `${text()} | ${
          this.among(
            "upper ; lower ; trim ; title ; capitalize ; replace('a', 'b') ; indent ; indent(2, true) ; " +
              "indent(width='> ', blank=true) ; escape ; string ; reverse ; truncate(5) ; " +
              "truncate(6, true, '..', 0) ; center(12) ; trim('a') ; urlencode ; safe ; wordcount ; length",
          )
        }`,
      () => `${this.list()} | join(${this.one(["", "', '", "'\\n'"])})`,
      () => `${this.list()} | map('${this.one(["upper", "string", "length", "trim"])}') | join('|')`,
      () => `${this.dicts()} | map(attribute='${this.one(["role", "content", "missing", "content.0"])}') | join(',')`,
      () => `'{}:{}'.format(${this.any()}, ${this.whole()})`,
      () => `'${this.one(["{:>8}", "{0:<5}|", "{:^9}"])}'.format(${text()})`,
      () => `'${this.one(["{:05d}", "{:,}", "{:x}", "{:+}", "{:b}"])}'.format(${this.whole()})`,
      () => `'${this.one(["{:.2f}", "{:e}", "{:8.3f}", "{:g}", "{:.1%}", "{}", "{!r}"])}'.format(${this.float()})`,
      () =>
        `'${this.one(["%d", "%5d", "%s", "%05.1f", "%x", "%r"])}' % ${
          this.one([`(${this.whole()})`, `(${this.whole()},)`])
        }`,
      () => `'%s-%s' | format(${this.any()}, ${text()})`,
    ])();
  }

  protected whole(): string {
    return this.closed(this.wholeSource());
  }

  protected wholeSource(): string {
    const known = this.known("whole");
    if (known !== undefined) return known;
    return this.one<() => string>([
      () => String(this.below(20)),
      () => `-${this.below(9) + 1}`,
      () => "9007199254740993",
      () => `(${this.whole()} ${this.one(["+", "-", "*"])} ${this.whole()})`,
      () => `(${this.whole()} ${this.one(["//", "%"])} ${this.one(["3", "-4", "7"])})`,
      () => `2 ** ${this.below(9)}`,
      () => `(${this.text1()}) | length`,
      () => `${this.list()} | length`,
      () => `(${this.text1()}) | int(${this.one(["", "7"])})`,
      () => `(${this.text1()}).${this.one(["find('b')", "count('a')", "rfind('')"])}`,
      () => `(${this.float()}) | int`,
      () => `(${this.whole()}) | abs`,
      () => `[${this.whole()}, ${this.whole()}] | ${this.one(["sum", "max", "min"])}`,
      () => "loop0 | default(3)",
    ])();
  }

  protected float(): string {
    return this.closed(this.floatSource());
  }

  protected floatSource(): string {
    const known = this.known("float");
    if (known !== undefined) return known;
    return this.one<() => string>([
      () => this.one(["1.0", "0.1", "2.5", "1e3", "1.25e-7", "12345678.9", "-0.5", "1e22", "3.14159"]),
      () => `${this.whole()} / ${this.one(["2", "3", "8"])}`,
      () => `(${this.float()} ${this.one(["+", "-", "*"])} ${this.whole()})`,
      () => `(${this.float()}) | round${this.one(["", "(1)", "(2, 'floor')", "(1, 'ceil')"])}`,
      () => `(${this.text1()}) | float`,
      () => `2 ** -${this.below(4)}`,
    ])();
  }

  protected bool(): string {
    return this.closed(this.boolSource());
  }

  protected boolSource(): string {
    const known = this.known("bool");
    if (known !== undefined) return known;
    return this.one<() => string>([
      () => this.one(["true", "false", "messages", "missing", "tools is defined", "not word"]),
      () =>
        `${this.any()} is ${this.one(["", "not "])}${
          this.among(
            "string ; number ; mapping ; sequence ; iterable ; none ; defined ; boolean ; integer ; float ; " +
              "undefined ; true ; false ; sameas none ; in [1, 'a', none] ; eq('a')",
          )
        }`,
      () =>
        `${this.whole()} is ${this.one(["odd", "even", "divisibleby 3", "divisibleby(2)", "gt 3", "ge(2)", "ne 1"])}`,
      () => `${this.whole()} ${this.one(["<", "<=", ">", ">=", "==", "!="])} ${this.one([this.whole(), this.float()])}`,
      () => `1 < ${this.whole()} ${this.one(["<", "<=", "!="])} 9`,
      () => `(${this.text1()}) ${this.one(["==", "!=", "<", ">="])} ${this.string()}`,
      () => `${this.string()} ${this.one(["in", "not in"])} (${this.text1()})`,
      () => `${this.any()} ${this.one(["in", "not in"])} ${this.list()}`,
      () => `'${this.one(["a", "z", "role"])}' in ${this.dict()}`,
      () => `${this.bool()} ${this.one(["and", "or"])} not ${this.bool()}`,
      () =>
        `(${this.text1()}).${
          this.one(["startswith('a')", "endswith(('c', ' '))", "isdigit()", "isalpha()", "isupper()", "isspace()"])
        }`,
      () => `${this.any()} == ${this.any()}`,
      () => `(${this.text1()}) is ${this.one(["upper", "lower"])}`,
    ])();
  }

  protected list(): string {
    return this.closed(this.listSource());
  }

  protected listSource(): string {
    const known = this.known("list");
    if (known !== undefined) return known;
    return this.one<() => string>([
      () => this.one(["['a', 'b', 'c']", "[3, 1, 2]", "['b', 'B', 'a']", "[]", "('x', 'y')", "[[1, 2], [3]]", "words"]),
      () => `range(${this.below(6)})`,
      () => `range(${this.below(3)}, 9, ${1 + this.below(3)})`,
      () =>
        `(${this.text1()}).${
          this.among(
            "split() ; split('X') ; splitlines() ; split(' ', 1) ; rsplit('b', 1) ; partition('-') ; " +
              "split('\\n')",
          )
        }`,
      () => `(${this.list()})[${this.one(["1:", ":-1", "::2", "::-1", "-2:", "5:1"])}]`,
      () => `['a', 'c'] + ${this.one(["['d']", "[none]", "words"])}`,
      () =>
        `${this.list()} | ${
          this.among(
            "list ; sort ; reverse | list ; unique | list ; select | list ; reject('none') | list ; " +
              "map('string') | list ; batch(2) | list ; slice(2) | list ; sort(reverse=true) ; " +
              "select('string') | list",
          )
        }`,
      () => `(${this.text1()}) | list`,
      () => `${this.dict()} | ${this.one(["list", "dictsort", "items | list"])}`,
      () => `${this.dicts()} | map(attribute='role') | list`,
      () => `[${this.any()}, ${this.any()}]`,
    ])();
  }

  protected dict(): string {
    const known = this.known("dict");
    if (known !== undefined) return known;
    return this.among(
      "{'a': 1, 'b': 'x'} ; {'b': [1], 'a': none} ; messages[0] ; schema ; {} ; dict(a=1, c=2.0) ; " +
        "{'é': true, 'k': {'n': 1}} ; {1: 'one', 'z': 2} ; schema.properties",
    );
  }

  protected dicts(): string {
    return this.among(
      "messages ; messages[1:] ; messages | selectattr('role', 'equalto', 'user') | list ; " +
        "messages | rejectattr('role', 'equalto', 'system') | list ; " +
        "messages | selectattr('tool_calls', 'defined') | list ; messages | sort(attribute='role') ; " +
        "[{'role': 'x', 'content': 'y'}] ; messages | rejectattr('content') | list",
    );
  }
}
