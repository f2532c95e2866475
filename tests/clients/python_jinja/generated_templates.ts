/**
 * Templates made by chance out of what Jinja has, the same for a seed on every machine.
 *
 * @module
 */

/** How many statements lie within each other. */
const MAX_DEPTH = 3;

/** Makes templates; each call of `template` gives another one. */
export class TemplateGenerator {
  #state: number;
  #names = 0;
  /** Variables that hold a value of a kind where the template is. */
  #scope: { readonly name: string; readonly kind: Kind }[] = [];
  #loops = 0;
  #macros: string[] = [];

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  template(): string {
    this.#scope = [];
    this.#macros = [];
    this.#names = 0;
    this.#loops = 0;
    return Array.from({ length: 2 + this.#below(5) }, () => this.#statement(0)).join("");
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  #below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)];
  }

  #chance(part: number): boolean {
    return this.#next() < part;
  }

  #space(): string {
    return this.#one(["", "", " ", "\n", "\n  ", "  \n", "\t", "\n\n", " \n \n  "]);
  }

  #text(): string {
    return this.#space() +
      this.#one(["a", "B c", "x\n", "é", "<|im_start|>", "😀", "}", "{ ", "50% ", "", "#", "'q'"]) +
      this.#space();
  }

  #tag(inside: string): string {
    const begin = this.#one(["{%", "{%", "{%", "{%-", "{%+"]);
    const end = this.#one(["%}", "%}", "%}", "-%}", "+%}"]);
    return `${begin} ${inside} ${end}`;
  }

  #print(value: string): string {
    return `${this.#one(["{{", "{{", "{{-"])} ${value} ${this.#one(["}}", "}}", "-}}"])}`;
  }

  #body(depth: number, bind: readonly { name: string; kind: Kind }[] = []): string {
    const outer = this.#scope;
    this.#scope = [...outer, ...bind];
    const body = Array.from({ length: 1 + this.#below(3) }, () => this.#statement(depth + 1)).join(this.#space());
    this.#scope = outer;
    return body;
  }

  #fresh(): string {
    return `v${this.#names++}`;
  }

  #statement(depth: number): string {
    const simple = depth >= MAX_DEPTH;
    switch (this.#below(simple ? 6 : 19)) {
      case 0:
        return this.#text();
      case 1:
      case 2:
      case 3:
        return this.#print(this.#any());
      case 4: {
        const kind = this.#one(KINDS);
        const name = this.#fresh();
        const statement = this.#tag(`set ${name} = ${this.#of(kind)}`);
        this.#scope = [...this.#scope, { name, kind }];
        return statement;
      }
      case 5:
        return this.#control() + this.#one([`{# ${this.#one(["c", "{{ x }}", "\n"])} #}`, "{#- c -#}", "{# c +#}"]) +
          this.#space();
      case 6:
      case 7:
        return this.#if(depth);
      case 8:
      case 9:
      case 10:
      case 11:
        return this.#for(depth);
      case 12:
        return this.#macro(depth);
      case 13: {
        const name = this.#fresh();
        const filter = this.#one(["", "", " | upper", " | trim", " | replace('a', '-') | length"]);
        const block = this.#tag(`set ${name}${filter}`) + this.#body(depth) + this.#tag("endset");
        this.#scope = [...this.#scope, { name, kind: "any" }];
        return block;
      }
      case 14:
        return this.#tag(
          `filter ${this.#one(["upper", "trim", "indent(2)", "replace('a', 'A') | title", "trim | upper"])}`,
        ) +
          this.#body(depth) + this.#tag("endfilter");
      case 15: {
        const name = this.#fresh();
        const kind = this.#one(KINDS);
        return this.#tag(`with ${name} = ${this.#of(kind)}`) + this.#body(depth, [{ name, kind }]) +
          this.#tag("endwith");
      }
      case 16: {
        const loops = this.#loops;
        this.#loops = 0;
        const block = this.#tag("generation") + this.#body(depth) + this.#tag("endgeneration");
        this.#loops = loops;
        return block;
      }
      case 17: {
        const name = this.#fresh();
        return this.#tag(`set ${name} = namespace(n=0, s='')`) +
          this.#tag(`for x in ${this.#list()}`) +
          this.#tag(`set ${name}.n = ${name}.n + 1`) + this.#tag(`set ${name}.s = ${name}.s ~ x`) +
          this.#control() + this.#tag("endfor") + this.#print(`${name}.n`) + this.#print(`${name}.s`);
      }
      default:
        return this.#one(["{% raw %}", "{%- raw %}", "{% raw -%}", "{%+ raw %}"]) +
          `${this.#space()}{{ raw }}{% x %}${this.#space()}` +
          this.#tag("endraw");
    }
  }

  /** Goes on with a loop, or ends it, where there is one. */
  #control(): string {
    if (this.#loops === 0 || this.#chance(0.4)) return "";
    return this.#tag(`if ${this.#bool()}`) + this.#one(["", "c"]) + this.#tag(this.#one(["continue", "break"])) +
      this.#tag("endif");
  }

  #if(depth: number): string {
    let text = this.#tag(`if ${this.#bool()}`) + this.#body(depth);
    while (this.#chance(0.3)) text += this.#tag(`elif ${this.#bool()}`) + this.#body(depth);
    if (this.#chance(0.5)) text += this.#tag("else") + this.#body(depth);
    return text + this.#tag("endif");
  }

  #for(depth: number): string {
    const name = this.#fresh();
    const pairs = this.#chance(0.25);
    const dicts = !pairs && this.#chance(0.4);
    const other = this.#fresh();
    const items = pairs ? `${this.#dict()}.items()` : dicts ? this.#dicts() : this.#list();
    const condition = this.#chance(0.2) ? ` if ${name} ${this.#one(["is string", "!= 'b'", "is not none"])}` : "";
    this.#loops++;
    const bound: { name: string; kind: Kind }[] = pairs
      ? [{ name, kind: "text" }, { name: other, kind: "any" }]
      : [{ name, kind: dicts ? "dict" : "any" }];
    const inner = this.#print(
      this.#one([
        "loop.index",
        "loop.last",
        "loop.revindex0",
        "loop.cycle('x', 'y')",
        "loop.length",
        "loop.previtem",
        "loop.nextitem is defined",
        "loop.changed(loop.index // 2)",
        "loop.depth",
        "loop.first",
        name,
      ]),
    );
    const body = this.#body(depth, bound) + inner + this.#control() + this.#body(depth, bound);
    this.#loops--;
    const otherwise = this.#chance(0.4) ? this.#tag("else") + this.#body(depth) : "";
    return this.#tag(`for ${pairs ? `${name}, ${other}` : name} in ${items}${condition}`) + body + otherwise +
      this.#tag("endfor");
  }

  #macro(depth: number): string {
    const loops = this.#loops;
    this.#loops = 0;
    const name = `m${this.#names++}`;
    const caller = this.#chance(0.4);
    const body = this.#body(depth, [{ name: "a", kind: "any" }, { name: "b", kind: "text" }]) +
      (caller ? this.#print("caller()") : "");
    const macro = this.#tag(`macro ${name}(a, b=${this.#string()})`) + body + this.#tag("endmacro");
    const call = caller
      ? this.#tag(`call ${name}(${this.#any()})`) + this.#body(depth) + this.#tag("endcall")
      : this.#print(`${name}(${this.#any()}${this.#one(["", `, ${this.#text1()}`, `, b=${this.#text1()}`])})`);
    this.#loops = loops;
    if (!caller) this.#macros.push(name);
    return macro + this.#text() + call;
  }

  /** An expression that can be a part of another one. */
  #closed(expression: string): string {
    return /^[\w.]+$|^'[^']*'$/.test(expression) || this.#chance(0.02) ? expression : `(${expression})`;
  }

  #of(kind: Kind): string {
    switch (kind) {
      case "text":
        return this.#text1();
      case "whole":
        return this.#whole();
      case "float":
        return this.#float();
      case "bool":
        return this.#bool();
      case "list":
        return this.#list();
      case "dict":
        return this.#dict();
      default:
        return this.#any();
    }
  }

  #known(kind: Kind): string | undefined {
    const names = this.#scope.filter((one) => one.kind === kind);
    return names.length > 0 && this.#chance(0.5) ? this.#one(names).name : undefined;
  }

  #any(): string {
    return this.#closed(this.#anySource());
  }

  #anySource(): string {
    const known = this.#known("any");
    if (known !== undefined) return known;
    return this.#one<() => string>([
      () => this.#text1(),
      () => this.#text1(),
      () => this.#whole(),
      () => this.#float(),
      () => this.#bool(),
      () => this.#list(),
      () => this.#dict(),
      () => this.#one(["none", "missing", "True", "''", "[]", "{}", "()", "(1,)", "[1, 'a', none, 1.5]"]),
      () =>
        `${this.#any()} | tojson${
          this.#one(["", "(indent=2)", "(sort_keys=True)", "(separators=(',', ':'))", "(ensure_ascii=True)"])
        }`,
      () => `${this.#any()} if ${this.#bool()}${this.#one(["", ` else ${this.#any()}`])}`,
      () => `${this.#any()} ${this.#one(["or", "and"])} ${this.#any()}`,
      () => `${this.#any()} | default(${this.#any()}${this.#one(["", ", true"])})`,
      () => `${this.#list()} | ${this.#one(["first", "last", "max", "min"])}`,
      () =>
        `${this.#dict()}${
          this.#one([".a", "['b']", ".get('a')", ".get('z', 9)", ".items() | list", ".keys() | list", ".z"])
        }`,
    ])();
  }

  #string(): string {
    return this.#one([
      "'abc'",
      '"it\'s"',
      "'a\\nb'",
      "'\\u00e9\\t'",
      "'x😀y'",
      "'  pad '",
      "''",
      "'A-b_c d'",
      "'\\d\\\\'",
      "'12'",
      "'1.50'",
      "'aXbXc'",
      "'<b>&'",
      "'line1\\n\\n  line2\\n'",
      "'HeLLo wOrld'",
      "'ß'",
      "'%s'",
      "'a' 'b'",
      '"q\'\\"q"',
    ]);
  }

  #text1(): string {
    return this.#closed(this.#text1Source());
  }

  #text1Source(): string {
    const known = this.#known("text");
    if (known !== undefined) return known;
    const text = () => this.#chance(0.6) ? this.#string() : `(${this.#text1()})`;
    return this.#one<() => string>([
      () => this.#string(),
      () => this.#string(),
      () => this.#one(["messages[0].content", "messages[-1]['role']", "bos_token", "word"]),
      () => `${text()} ~ ${this.#any()}`,
      () => `${text()} + ${text()}`,
      () => `${text()} * ${this.#below(4)}`,
      () =>
        `${text()}[${this.#one(["", "1", "-2", "0"])}:${this.#one(["", "3", "-1", "99"])}${
          this.#one(["", ":2", ":-1"])
        }]`,
      () =>
        `${text()}.${
          this.#one([
            "upper()",
            "lower()",
            "strip()",
            "lstrip('a ')",
            "rstrip('\\n')",
            "title()",
            "capitalize()",
            "replace('a', 'bb')",
            "replace('', '-', 2)",
            "removeprefix('a')",
            "swapcase()",
            "zfill(6)",
            "center(9, '*')",
            "ljust(7)",
            "rjust(7, '.')",
            "join(['p', 'q'])",
            "strip('ab')",
            "casefold()",
            "expandtabs(4)",
          ])
        }`,
      () =>
        `${text()} | ${
          this.#one([
            "upper",
            "lower",
            "trim",
            "title",
            "capitalize",
            "replace('a', 'b')",
            "indent",
            "indent(2, true)",
            "indent(width='> ', blank=true)",
            "escape",
            "string",
            "reverse",
            "truncate(5)",
            "truncate(6, true, '..', 0)",
            "center(12)",
            "trim('a')",
            "urlencode",
            "safe",
            "wordcount",
            "length",
          ])
        }`,
      () => `${this.#list()} | join(${this.#one(["", "', '", "'\\n'"])})`,
      () => `${this.#list()} | map('${this.#one(["upper", "string", "length", "trim"])}') | join('|')`,
      () => `${this.#dicts()} | map(attribute='${this.#one(["role", "content", "missing", "content.0"])}') | join(',')`,
      () => `'{}:{}'.format(${this.#any()}, ${this.#whole()})`,
      () => `'${this.#one(["{:>8}", "{0:<5}|", "{:^9}"])}'.format(${text()})`,
      () => `'${this.#one(["{:05d}", "{:,}", "{:x}", "{:+}", "{:b}"])}'.format(${this.#whole()})`,
      () => `'${this.#one(["{:.2f}", "{:e}", "{:8.3f}", "{:g}", "{:.1%}", "{}", "{!r}"])}'.format(${this.#float()})`,
      () =>
        `'${this.#one(["%d", "%5d", "%s", "%05.1f", "%x", "%r"])}' % ${
          this.#one([`(${this.#whole()})`, `(${this.#whole()},)`])
        }`,
      () => `'%s-%s' | format(${this.#any()}, ${text()})`,
    ])();
  }

  #whole(): string {
    return this.#closed(this.#wholeSource());
  }

  #wholeSource(): string {
    const known = this.#known("whole");
    if (known !== undefined) return known;
    return this.#one<() => string>([
      () => String(this.#below(20)),
      () => `-${this.#below(9) + 1}`,
      () => "9007199254740993",
      () => `(${this.#whole()} ${this.#one(["+", "-", "*"])} ${this.#whole()})`,
      () => `(${this.#whole()} ${this.#one(["//", "%"])} ${this.#one(["3", "-4", "7"])})`,
      () => `2 ** ${this.#below(9)}`,
      () => `(${this.#text1()}) | length`,
      () => `${this.#list()} | length`,
      () => `(${this.#text1()}) | int(${this.#one(["", "7"])})`,
      () => `(${this.#text1()}).${this.#one(["find('b')", "count('a')", "rfind('')"])}`,
      () => `(${this.#float()}) | int`,
      () => `(${this.#whole()}) | abs`,
      () => `[${this.#whole()}, ${this.#whole()}] | ${this.#one(["sum", "max", "min"])}`,
      () => "loop0 | default(3)",
    ])();
  }

  #float(): string {
    return this.#closed(this.#floatSource());
  }

  #floatSource(): string {
    const known = this.#known("float");
    if (known !== undefined) return known;
    return this.#one<() => string>([
      () => this.#one(["1.0", "0.1", "2.5", "1e3", "1.25e-7", "12345678.9", "-0.5", "1e22", "3.14159"]),
      () => `${this.#whole()} / ${this.#one(["2", "3", "8"])}`,
      () => `(${this.#float()} ${this.#one(["+", "-", "*"])} ${this.#whole()})`,
      () => `(${this.#float()}) | round${this.#one(["", "(1)", "(2, 'floor')", "(1, 'ceil')"])}`,
      () => `(${this.#text1()}) | float`,
      () => `2 ** -${this.#below(4)}`,
    ])();
  }

  #bool(): string {
    return this.#closed(this.#boolSource());
  }

  #boolSource(): string {
    const known = this.#known("bool");
    if (known !== undefined) return known;
    return this.#one<() => string>([
      () => this.#one(["true", "false", "messages", "missing", "tools is defined", "not word"]),
      () =>
        `${this.#any()} is ${this.#one(["", "not "])}${
          this.#one([
            "string",
            "number",
            "mapping",
            "sequence",
            "iterable",
            "none",
            "defined",
            "boolean",
            "integer",
            "float",
            "undefined",
            "true",
            "false",
            "sameas none",
            "in [1, 'a', none]",
            "eq('a')",
          ])
        }`,
      () =>
        `${this.#whole()} is ${this.#one(["odd", "even", "divisibleby 3", "divisibleby(2)", "gt 3", "ge(2)", "ne 1"])}`,
      () =>
        `${this.#whole()} ${this.#one(["<", "<=", ">", ">=", "==", "!="])} ${
          this.#one([this.#whole(), this.#float()])
        }`,
      () => `1 < ${this.#whole()} ${this.#one(["<", "<=", "!="])} 9`,
      () => `(${this.#text1()}) ${this.#one(["==", "!=", "<", ">="])} ${this.#string()}`,
      () => `${this.#string()} ${this.#one(["in", "not in"])} (${this.#text1()})`,
      () => `${this.#any()} ${this.#one(["in", "not in"])} ${this.#list()}`,
      () => `'${this.#one(["a", "z", "role"])}' in ${this.#dict()}`,
      () => `${this.#bool()} ${this.#one(["and", "or"])} not ${this.#bool()}`,
      () =>
        `(${this.#text1()}).${
          this.#one(["startswith('a')", "endswith(('c', ' '))", "isdigit()", "isalpha()", "isupper()", "isspace()"])
        }`,
      () => `${this.#any()} == ${this.#any()}`,
      () => `(${this.#text1()}) is ${this.#one(["upper", "lower"])}`,
    ])();
  }

  #list(): string {
    return this.#closed(this.#listSource());
  }

  #listSource(): string {
    const known = this.#known("list");
    if (known !== undefined) return known;
    return this.#one<() => string>([
      () =>
        this.#one(["['a', 'b', 'c']", "[3, 1, 2]", "['b', 'B', 'a']", "[]", "('x', 'y')", "[[1, 2], [3]]", "words"]),
      () => `range(${this.#below(6)})`,
      () => `range(${this.#below(3)}, 9, ${1 + this.#below(3)})`,
      () =>
        `(${this.#text1()}).${
          this.#one([
            "split()",
            "split('X')",
            "splitlines()",
            "split(' ', 1)",
            "rsplit('b', 1)",
            "partition('-')",
            "split('\\n')",
          ])
        }`,
      () => `(${this.#list()})[${this.#one(["1:", ":-1", "::2", "::-1", "-2:", "5:1"])}]`,
      () => `['a', 'c'] + ${this.#one(["['d']", "[none]", "words"])}`,
      () =>
        `${this.#list()} | ${
          this.#one([
            "list",
            "sort",
            "reverse | list",
            "unique | list",
            "select | list",
            "reject('none') | list",
            "map('string') | list",
            "batch(2) | list",
            "slice(2) | list",
            "sort(reverse=true)",
            "select('string') | list",
          ])
        }`,
      () => `(${this.#text1()}) | list`,
      () => `${this.#dict()} | ${this.#one(["list", "dictsort", "items | list"])}`,
      () => `${this.#dicts()} | map(attribute='role') | list`,
      () => `[${this.#any()}, ${this.#any()}]`,
    ])();
  }

  #dict(): string {
    const known = this.#known("dict");
    if (known !== undefined) return known;
    return this.#one([
      "{'a': 1, 'b': 'x'}",
      "{'b': [1], 'a': none}",
      "messages[0]",
      "schema",
      "{}",
      "dict(a=1, c=2.0)",
      "{'é': true, 'k': {'n': 1}}",
      "{1: 'one', 'z': 2}",
      "schema.properties",
    ]);
  }

  #dicts(): string {
    return this.#one([
      "messages",
      "messages[1:]",
      "messages | selectattr('role', 'equalto', 'user') | list",
      "messages | rejectattr('role', 'equalto', 'system') | list",
      "messages | selectattr('tool_calls', 'defined') | list",
      "messages | sort(attribute='role')",
      "[{'role': 'x', 'content': 'y'}]",
      "messages | rejectattr('content') | list",
    ]);
  }
}

type Kind = "text" | "whole" | "float" | "bool" | "list" | "dict" | "any";
const KINDS: readonly Kind[] = ["text", "whole", "float", "bool", "list", "dict", "any"];
