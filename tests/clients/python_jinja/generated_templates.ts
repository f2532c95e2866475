/**
 * Templates made by chance out of what Jinja has, the same for a seed on every machine.
 *
 * @module
 */
import { ExpressionGenerator, type Kind, KINDS } from "./generated_expressions.ts";

/** How many statements lie within each other. */
const MAX_DEPTH = 3;

/** Makes templates; each call of `template` gives another one. */
export class TemplateGenerator extends ExpressionGenerator {
  protected names = 0;
  protected loops = 0;
  protected macros: string[] = [];

  template(): string {
    this.scope = [];
    this.macros = [];
    this.names = 0;
    this.loops = 0;
    return Array.from({ length: 2 + this.below(5) }, () => this.statement(0)).join("");
  }

  protected space(): string {
    return this.one(["", "", " ", "\n", "\n  ", "  \n", "\t", "\n\n", " \n \n  "]);
  }

  protected text(): string {
    return this.space() +
      this.one(["a", "B c", "x\n", "é", "<|im_start|>", "😀", "}", "{ ", "50% ", "", "#", "'q'"]) +
      this.space();
  }

  protected tag(inside: string): string {
    const begin = this.one(["{%", "{%", "{%", "{%-", "{%+"]);
    const end = this.one(["%}", "%}", "%}", "-%}", "+%}"]);
    return `${begin} ${inside} ${end}`;
  }

  protected print(value: string): string {
    return `${this.one(["{{", "{{", "{{-"])} ${value} ${this.one(["}}", "}}", "-}}"])}`;
  }

  protected body(depth: number, bind: readonly { name: string; kind: Kind }[] = []): string {
    const outer = this.scope;
    this.scope = [...outer, ...bind];
    const body = Array.from({ length: 1 + this.below(3) }, () => this.statement(depth + 1)).join(this.space());
    this.scope = outer;
    return body;
  }

  protected fresh(): string {
    return `v${this.names++}`;
  }

  protected statement(depth: number): string {
    const simple = depth >= MAX_DEPTH;
    switch (this.below(simple ? 6 : 19)) {
      case 0:
        return this.text();
      case 1:
      case 2:
      case 3:
        return this.print(this.any());
      case 4: {
        const kind = this.one(KINDS);
        const name = this.fresh();
        const statement = this.tag(`set ${name} = ${this.of(kind)}`);
        this.scope = [...this.scope, { name, kind }];
        return statement;
      }
      case 5:
        return this.control() + this.one([`{# ${this.one(["c", "{{ x }}", "\n"])} #}`, "{#- c -#}", "{# c +#}"]) +
          this.space();
      case 6:
      case 7:
        return this.if(depth);
      case 8:
      case 9:
      case 10:
      case 11:
        return this.for(depth);
      case 12:
        return this.macro(depth);
      case 13: {
        const name = this.fresh();
        const filter = this.one(["", "", " | upper", " | trim", " | replace('a', '-') | length"]);
        const block = this.tag(`set ${name}${filter}`) + this.body(depth) + this.tag("endset");
        this.scope = [...this.scope, { name, kind: "any" }];
        return block;
      }
      case 14:
        return this.tag(
          `filter ${this.one(["upper", "trim", "indent(2)", "replace('a', 'A') | title", "trim | upper"])}`,
        ) +
          this.body(depth) + this.tag("endfilter");
      case 15: {
        const name = this.fresh();
        const kind = this.one(KINDS);
        return this.tag(`with ${name} = ${this.of(kind)}`) + this.body(depth, [{ name, kind }]) +
          this.tag("endwith");
      }
      case 16: {
        const loops = this.loops;
        this.loops = 0;
        const block = this.tag("generation") + this.body(depth) + this.tag("endgeneration");
        this.loops = loops;
        return block;
      }
      case 17: {
        const name = this.fresh();
        return this.tag(`set ${name} = namespace(n=0, s='')`) +
          this.tag(`for x in ${this.list()}`) +
          this.tag(`set ${name}.n = ${name}.n + 1`) + this.tag(`set ${name}.s = ${name}.s ~ x`) +
          this.control() + this.tag("endfor") + this.print(`${name}.n`) + this.print(`${name}.s`);
      }
      default:
        return this.one(["{% raw %}", "{%- raw %}", "{% raw -%}", "{%+ raw %}"]) +
          `${this.space()}{{ raw }}{% x %}${this.space()}` +
          this.tag("endraw");
    }
  }

  /** Continues or breaks a loop, where there is one. */
  protected control(): string {
    if (this.loops === 0 || this.chance(0.4)) return "";
    return this.tag(`if ${this.bool()}`) + this.one(["", "c"]) + this.tag(this.one(["continue", "break"])) +
      this.tag("endif");
  }

  protected if(depth: number): string {
    let text = this.tag(`if ${this.bool()}`) + this.body(depth);
    while (this.chance(0.3)) text += this.tag(`elif ${this.bool()}`) + this.body(depth);
    if (this.chance(0.5)) text += this.tag("else") + this.body(depth);
    return text + this.tag("endif");
  }

  protected for(depth: number): string {
    const name = this.fresh();
    const pairs = this.chance(0.25);
    const dicts = !pairs && this.chance(0.4);
    const other = this.fresh();
    const items = pairs ? `${this.dict()}.items()` : dicts ? this.dicts() : this.list();
    const condition = this.chance(0.2) ? ` if ${name} ${this.one(["is string", "!= 'b'", "is not none"])}` : "";
    this.loops++;
    const bound: { name: string; kind: Kind }[] = pairs
      ? [{ name, kind: "text" }, { name: other, kind: "any" }]
      : [{ name, kind: dicts ? "dict" : "any" }];
    const inner = this.print(
      this.one([
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
    const body = this.body(depth, bound) + inner + this.control() + this.body(depth, bound);
    this.loops--;
    const otherwise = this.chance(0.4) ? this.tag("else") + this.body(depth) : "";
    return this.tag(`for ${pairs ? `${name}, ${other}` : name} in ${items}${condition}`) + body + otherwise +
      this.tag("endfor");
  }

  protected macro(depth: number): string {
    const loops = this.loops;
    this.loops = 0;
    const name = `m${this.names++}`;
    const caller = this.chance(0.4);
    const body = this.body(depth, [{ name: "a", kind: "any" }, { name: "b", kind: "text" }]) +
      (caller ? this.print("caller()") : "");
    const macro = this.tag(`macro ${name}(a, b=${this.string()})`) + body + this.tag("endmacro");
    const call = caller
      ? this.tag(`call ${name}(${this.any()})`) + this.body(depth) + this.tag("endcall")
      : this.print(`${name}(${this.any()}${this.one(["", `, ${this.text1()}`, `, b=${this.text1()}`])})`);
    this.loops = loops;
    if (!caller) this.macros.push(name);
    return macro + this.text() + call;
  }
}
