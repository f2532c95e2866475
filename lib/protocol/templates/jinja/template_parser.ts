/**
 * Parses templates: the statements of Jinja with `loopcontrols`, and the `generation` blocks of transformers.
 *
 * @module
 */
import { ExpressionParser } from "./expression_parser.ts";
import { tokenize } from "./lexer.ts";
import type { Expression, For, Macro, Statement, Target } from "./syntax_tree.ts";

/** A parsed template. */
export interface Program {
  readonly body: readonly Statement[];
}

/**
 * Parses a template.
 *
 * @throws {SyntaxError | UnsupportedError} when it is not Jinja, or uses other templates.
 */
export function parseProgram(source: string): Program {
  return new TemplateParser(tokenize(source)).program();
}

/** Statements that need other templates, or settings that chat templates do not have. */
const unsupported = new Set(["extends", "include", "import", "from", "block", "autoescape"]);

class TemplateParser extends ExpressionParser {
  /** Whether `break` and `continue` have a loop; a macro within a loop is a function of its own. */
  #inLoop = false;

  program(): Program {
    const body = this.#body([]);
    if (!this.is("eof")) throw new SyntaxError(this.found());
    return { body };
  }

  /** Statements up to one of the words that end them, which is not read. */
  #body(ends: readonly string[], inLoop: boolean = this.#inLoop): Statement[] {
    const outer = this.#inLoop;
    this.#inLoop = inLoop;
    const body: Statement[] = [];
    while (!this.is("eof")) {
      if (this.is("data")) {
        body.push({ kind: "text", text: this.next().value });
      } else if (this.is("variable_begin")) {
        this.next();
        body.push({ kind: "print", value: this.tuple() });
        this.expect("variable_end");
      } else {
        this.expect("block_begin");
        if (this.isWord(...ends)) {
          this.#inLoop = outer;
          return body;
        }
        body.push(...this.#statement());
        this.expect("block_end");
      }
    }
    if (ends.length > 0) throw new SyntaxError(`${this.found()}, expected ${ends.join(" or ")}`);
    return body;
  }

  /** The body of a block, with the word that ends it. */
  #block(end: string, inLoop: boolean = this.#inLoop): Statement[] {
    this.#open();
    const body = this.#body([end], inLoop);
    this.next();
    return body;
  }

  #open(): void {
    this.skip("operator", ":");
    this.expect("block_end");
  }

  #statement(): Statement[] {
    const word = this.expect("name").value;
    switch (word) {
      case "for":
        return [this.#for()];
      case "if":
        return [this.#if()];
      case "set":
        return [this.#set()];
      case "with":
        return [this.#with()];
      case "macro": {
        const name = this.expect("name").value;
        return [this.#macro(name, "endmacro", this.#parameters())];
      }
      case "call": {
        const parameters = this.is("operator", "(") ? this.#parameters() : { parameters: [], defaults: [] };
        const call = this.expression();
        if (call.kind !== "call") throw new SyntaxError("a call block has no call");
        return [{ kind: "call block", call, caller: this.#macro("caller", "endcall", parameters) }];
      }
      case "filter": {
        const filter = this.filter(undefined, true)!;
        return [{ kind: "filter block", filter, body: this.#block("endfilter") }];
      }
      case "generation":
        return [{ kind: "scope", body: this.#block("endgeneration", false) }];
      case "print":
        return this.#print();
      case "break":
      case "continue":
        if (!this.#inLoop) throw new SyntaxError(`${word} is not in a loop`);
        return [{ kind: word }];
      default:
        if (unsupported.has(word)) this.unsupported(`the statement ${word}`);
        throw new SyntaxError(`there is no statement ${word}`);
    }
  }

  #for(): For {
    const target = this.#target(() => this.isWord("in"));
    this.expect("name", "in");
    const items = this.tuple(false, () => this.isWord("recursive"));
    const test = this.skip("name", "if") ? this.expression() : undefined;
    const recursive = this.skip("name", "recursive");
    this.#open();
    const body = this.#body(["endfor", "else"], true);
    const otherwise = this.next().value === "else" ? this.#block("endfor", this.#inLoop && !recursive) : [];
    return { kind: "for", target, items, test, recursive, body, otherwise };
  }

  #if(): Statement {
    const branches: [Expression, Statement[]][] = [];
    let word: string;
    do {
      const test = this.tuple(false);
      this.#open();
      branches.push([test, this.#body(["elif", "else", "endif"])]);
      word = this.next().value;
    } while (word === "elif");
    return { kind: "if", branches, otherwise: word === "else" ? this.#block("endif") : [] };
  }

  #set(): Statement {
    const target = this.#target(undefined, true);
    if (this.skip("operator", "=")) return { kind: "set", target, value: this.tuple() };
    const filter = this.filter(undefined);
    return { kind: "set block", target, filter, body: this.#block("endset") };
  }

  #with(): Statement {
    const values: [Target, Expression][] = [];
    while (!this.is("block_end")) {
      if (values.length > 0) this.expect("operator", ",");
      const target = this.#target();
      this.expect("operator", "=");
      values.push([target, this.expression()]);
    }
    return { kind: "with", values, body: this.#block("endwith") };
  }

  #print(): Statement[] {
    const shown: Statement[] = [];
    while (!this.is("block_end")) {
      if (shown.length > 0) this.expect("operator", ",");
      shown.push({ kind: "print", value: this.expression() });
    }
    return shown;
  }

  #parameters(): Pick<Macro, "parameters" | "defaults"> {
    const parameters: string[] = [];
    const defaults: Expression[] = [];
    this.expect("operator", "(");
    while (!this.is("operator", ")")) {
      if (parameters.length > 0) this.expect("operator", ",");
      const name = this.expect("name").value;
      if (parameters.includes(name)) throw new SyntaxError(`there are two parameters ${name}`);
      if (this.skip("operator", "=")) defaults.push(this.expression());
      else if (defaults.length > 0) throw new SyntaxError(`the parameter ${name} follows one with a default`);
      parameters.push(name);
    }
    this.next();
    return { parameters, defaults };
  }

  #macro(name: string, end: string, declared: Pick<Macro, "parameters" | "defaults">): Macro {
    const body = this.#block(end, false);
    return { kind: "macro", name, ...declared, body, special: specialNames(body) };
  }

  #target(end?: () => boolean, members = false): Target {
    const items: Target[] = [];
    let several = false;
    for (;;) {
      if (items.length > 0) this.expect("operator", ",");
      if (this.is("block_end") || this.is("operator", ")") || this.is("operator", "=") || end?.()) break;
      items.push(this.#oneTarget(members));
      if (!this.is("operator", ",")) break;
      several = true;
    }
    if (items.length === 0) throw new SyntaxError(`${this.found()}, expected a name`);
    return several ? { kind: "tuple", items } : items[0];
  }

  #oneTarget(members: boolean): Target {
    if (this.skip("operator", "(")) {
      const inner = this.#target(undefined, members);
      this.expect("operator", ")");
      return inner;
    }
    const name = this.expect("name").value;
    if (/^([tT]rue|[fF]alse|[nN]one)$/.test(name)) throw new SyntaxError(`${name} cannot be assigned to`);
    if (members && this.skip("operator", ".")) {
      return { kind: "member", namespace: name, name: this.expect("name").value };
    }
    return { kind: "name", name };
  }
}

/** Which of the variables that a macro has besides its parameters a body reads. */
function specialNames(body: unknown): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { kind, name, special } = node as { kind?: string; name?: string; special?: Set<string> };
    if (kind === "name" && /^(caller|kwargs|varargs)$/.test(name!)) names.add(name!);
    // A macro within this one was visited when it was read.
    if (special instanceof Set) { for (const one of special) names.add(one); }
    else for (const member of Object.values(node)) visit(member);
  };
  visit(body);
  return names;
}
