/**
 * Parses the expressions of templates, with the precedence of Jinja.
 *
 * @module
 */
import type { TokenKind } from "./lexer.ts";
import type { Arguments, Expression, Filter } from "./syntax_tree.ts";
import { TokenReader } from "./token_reader.ts";
import { Float } from "./values.ts";
import { knownFilter } from "./filters.ts";
import { knownTest } from "./tests.ts";

const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);
const literals = new Set<TokenKind>(["name", "string", "integer", "float"]);

/** Reads expressions from tokens; the parser of statements extends it. */
export class ExpressionParser extends TokenReader {
  /** An expression, or several comma-separated ones, which form a tuple. */
  protected tuple(conditions = true, end: (() => boolean) | undefined = undefined, parenthesised = false): Expression {
    const items: Expression[] = [];
    let several = false;
    for (;;) {
      if (items.length > 0) this.expect("operator", ",");
      if (this.is("variable_end") || this.is("block_end") || this.is("operator", ")") || end?.()) break;
      items.push(conditions ? this.expression() : this.or());
      if (!this.is("operator", ",")) break;
      several = true;
    }
    if (!several && items.length === 1) return items[0];
    if (items.length === 0 && !parenthesised) throw new SyntaxError(`${this.found()}, expected an expression`);
    return { kind: "tuple", items };
  }

  protected expression(): Expression {
    let then = this.or();
    while (this.skip("name", "if")) {
      const test = this.or();
      const otherwise = this.skip("name", "else") ? this.expression() : undefined;
      then = { kind: "condition", test, then, otherwise };
    }
    return then;
  }

  protected or(): Expression {
    let left = this.#and();
    while (this.skip("name", "or")) left = { kind: "or", left, right: this.#and() };
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.skip("name", "and")) left = { kind: "and", left, right: this.#not() };
    return left;
  }

  #not(): Expression {
    return this.skip("name", "not") ? { kind: "not", operand: this.#not() } : this.#compare();
  }

  #compare(): Expression {
    const first = this.#sum();
    const rest: [string, Expression][] = [];
    for (;;) {
      if (this.current.kind === "operator" && comparisons.has(this.current.value)) {
        rest.push([this.next().value, this.#sum()]);
      } else if (this.skip("name", "in")) {
        rest.push(["in", this.#sum()]);
      } else if (this.is("name", "not") && this.is("name", "in", 1)) {
        this.next();
        this.next();
        rest.push(["not in", this.#sum()]);
      } else {
        return rest.length === 0 ? first : { kind: "compare", first, rest };
      }
    }
  }

  #binary(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    while (this.current.kind === "operator" && operators.includes(this.current.value)) {
      left = { kind: "binary", operator: this.next().value, left, right: operand() };
    }
    return left;
  }

  #sum(): Expression {
    return this.#binary(["+", "-"], () => this.#concat());
  }

  #concat(): Expression {
    const parts = [this.#product()];
    while (this.skip("operator", "~")) parts.push(this.#product());
    return parts.length === 1 ? parts[0] : { kind: "concat", parts };
  }

  #product(): Expression {
    return this.#binary(["*", "/", "//", "%"], () => this.#binary(["**"], () => this.#unary(true)));
  }

  #unary(filters: boolean): Expression {
    const signed = this.is("operator", "-") || this.is("operator", "+");
    const node: Expression = signed
      ? { kind: "sign", operator: this.next().value, operand: this.#unary(false) }
      : this.#primary();
    const postfixed = this.#postfix(node);
    return filters ? this.#filtered(postfixed) : postfixed;
  }

  #primary(): Expression {
    const { kind, value } = this.current;
    if (!literals.has(kind) && !(kind === "operator" && "([{".includes(value))) throw new SyntaxError(this.found());
    this.next();
    switch (kind) {
      case "name":
        if (/^[tT]rue$|^[fF]alse$/.test(value)) return { kind: "constant", value: /rue/.test(value) };
        return /^[nN]one$/.test(value) ? { kind: "constant", value: null } : { kind: "name", name: value };
      case "string": {
        let text = value;
        while (this.current.kind === "string") text += this.next().value;
        return { kind: "constant", value: text };
      }
      case "integer":
        return { kind: "constant", value: BigInt(value) };
      case "float":
        return { kind: "constant", value: new Float(Number(value)) };
    }
    if (value === "(") {
      const inner = this.tuple(true, undefined, true);
      this.expect("operator", ")");
      return inner;
    }
    if (value === "[") return { kind: "list", items: this.#members("]", () => this.expression()) };
    const pairs = this.#members("}", (): [Expression, Expression] => {
      const key = this.expression();
      this.expect("operator", ":");
      return [key, this.expression()];
    });
    return { kind: "dict", pairs };
  }

  #members<T>(close: string, member: () => T): T[] {
    const members: T[] = [];
    while (!this.is("operator", close)) {
      if (members.length > 0) this.expect("operator", ",");
      if (this.is("operator", close)) break;
      members.push(member());
    }
    this.expect("operator", close);
    return members;
  }

  #postfix(start: Expression): Expression {
    let node = start;
    for (;;) {
      if (this.skip("operator", ".")) {
        node = this.is("integer")
          ? { kind: "item", object: node, key: { kind: "constant", value: BigInt(this.next().value) } }
          : { kind: "attribute", object: node, name: this.expect("name").value };
      } else if (this.skip("operator", "[")) {
        const keys: Expression[] = [];
        while (!this.is("operator", "]")) {
          if (keys.length > 0) this.expect("operator", ",");
          keys.push(this.#subscript());
        }
        this.expect("operator", "]");
        node = { kind: "item", object: node, key: keys.length === 1 ? keys[0] : { kind: "tuple", items: keys } };
      } else if (this.is("operator", "(")) {
        node = { kind: "call", callee: node, given: this.arguments() };
      } else {
        return node;
      }
    }
  }

  #subscript(): Expression {
    const ends = () => this.is("operator", "]") || this.is("operator", ",");
    const part = () => ends() || this.is("operator", ":") ? undefined : this.expression();
    const start = part();
    if (!this.skip("operator", ":")) {
      if (start === undefined) throw new SyntaxError(this.found());
      return start;
    }
    const stop = part();
    return { kind: "slice", bounds: [start, stop, this.skip("operator", ":") ? part() : undefined] };
  }

  /** Filters, tests and calls after an operand. */
  #filtered(start: Expression): Expression {
    let node = start;
    for (;;) {
      if (this.is("operator", "|")) node = this.filter(node)!;
      else if (this.skip("name", "is")) node = this.#test(node);
      else if (this.is("operator", "(")) node = { kind: "call", callee: node, given: this.arguments() };
      else return node;
    }
  }

  /** The filters that follow; undefined where there is neither an operand nor a filter. */
  protected filter<T extends Expression | undefined>(operand: T, named = false): T | Filter {
    let node: T | Filter = operand;
    for (let first = named; first || this.skip("operator", "|"); first = false) {
      const name = this.#dotted();
      knownFilter(name);
      node = { kind: "filter", operand: node, name, given: this.is("operator", "(") ? this.arguments() : none };
    }
    return node;
  }

  #test(operand: Expression): Expression {
    const negated = this.skip("name", "not");
    const name = this.#dotted();
    knownTest(name);
    let given: Arguments = none;
    if (this.is("operator", "(")) given = this.arguments();
    else if (this.#beginsArgument()) {
      if (this.isWord("is")) throw new SyntaxError("tests cannot be chained with is");
      given = { ...none, args: [this.#postfix(this.#primary())] };
    }
    const test: Expression = { kind: "test", operand, name, given };
    return negated ? { kind: "not", operand: test } : test;
  }

  #beginsArgument(): boolean {
    if (this.isWord("else", "or", "and")) return false;
    return literals.has(this.current.kind) || this.is("operator", "[") || this.is("operator", "{");
  }

  #dotted(): string {
    let name = this.expect("name").value;
    while (this.skip("operator", ".")) name += `.${this.expect("name").value}`;
    return name;
  }

  protected arguments(): Arguments {
    const args: Expression[] = [];
    const named: [string, Expression][] = [];
    let spread: Expression | undefined;
    let namedSpread: Expression | undefined;
    this.expect("operator", "(");
    for (let first = true; !this.is("operator", ")"); first = false) {
      if (!first) {
        this.expect("operator", ",");
        if (this.is("operator", ")")) break;
      }
      if (namedSpread !== undefined) throw new SyntaxError("arguments follow **");
      if (this.skip("operator", "*")) {
        if (spread !== undefined) throw new SyntaxError("there are two *");
        spread = this.expression();
      } else if (this.skip("operator", "**")) {
        namedSpread = this.expression();
      } else if (this.is("name") && this.is("operator", "=", 1)) {
        const name = this.next().value;
        this.next();
        if (named.some(([other]) => other === name)) throw new SyntaxError(`the argument ${name} is given twice`);
        named.push([name, this.expression()]);
      } else {
        if (spread !== undefined || named.length > 0) throw new SyntaxError("an argument follows named ones");
        args.push(this.expression());
      }
    }
    this.expect("operator", ")");
    return { args, named, spread, namedSpread };
  }
}

const none: Arguments = { args: [], named: [], spread: undefined, namedSpread: undefined };
