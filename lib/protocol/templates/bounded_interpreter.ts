/**
 * Jinja with bounds: templates from models are untrusted. What they render is what Python's Jinja renders in the
 * environment that transformers gives to chat templates.
 *
 * @module
 */
import { bind } from "./jinja/arguments.ts";
import { Budget, TemplateLimitError } from "./jinja/budget.ts";
import { render } from "./jinja/interpreter.ts";
import { Scope } from "./jinja/scope.ts";
import { str } from "./jinja/show.ts";
import { parseProgram, type Program } from "./jinja/template_parser.ts";
import {
  Callable,
  Dict,
  index,
  iterate,
  type Named,
  Namespace,
  PythonError,
  Range,
  toValue,
  UnsupportedError,
  type Value,
} from "./jinja/values.ts";
import { formatTime } from "./jinja/format_time.ts";

export { type Program, TemplateLimitError, UnsupportedError };

/** Templates in use have at most tens of thousands of characters. */
const MAX_SOURCE = 512 * 1024;

/** Longest list that `range` makes. */
const MAX_RANGE = 10_000;

/** A template that rejects the messages, with its own message. */
export class TemplateRefusal extends Error {
  override name = "TemplateRefusal";
}

/**
 * Parses a template with the whitespace rules of chat templates: the line break after a block and the space before it
 * are removed.
 *
 * @throws {Error} when it is too long or not Jinja.
 */
export function parseTemplate(source: string): Program {
  if (source.length > MAX_SOURCE) throw new TemplateLimitError(`it has ${source.length} characters`);
  return parseProgram(source);
}

/**
 * Renders a template.
 *
 * @param variables What the template sees; its bounds grow with the size of their text.
 * @param now The template's current time.
 * @throws {TemplateLimitError | TemplateRefusal | Error}
 */
export function renderTemplate(program: Program, variables: Readonly<Record<string, unknown>>, now: Date): string {
  const budget = new Budget(sizeOf(variables));
  const functions: Record<string, (args: readonly Value[], named: Named) => Value> = {
    range: (args) => range(args.map(index)),
    dict: (args, named) => Dict.of([...args.flatMap(pairsOf), ...named]),
    namespace: (args, named) => {
      const made = new Namespace();
      for (const [name, value] of [...args.flatMap(pairsOf), ...named]) made.members.set(name, value);
      return made;
    },
    cycler,
    joiner,
    raise_exception: (args, named) => {
      throw new TemplateRefusal(str(bind("raise_exception", ["message"], args, named, 1)[0]));
    },
    strftime_now: (args, named) => formatTime(now, str(bind("strftime_now", ["format"], args, named, 1)[0])),
  };
  const globals = new Scope(
    undefined,
    Object.entries(functions).map(([name, call]) => [name, new Callable(name, call)]),
  );
  const given = Object.entries(variables).map(([name, value]) => [name, toValue(value)] as const);
  return render(program, new Scope(new Scope(globals, given)), budget);
}

/** The size of variables, as text. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  const members = value instanceof Map ? [...value] : Object.entries(value);
  return members.reduce((sum, [key, member]) => sum + String(key).length + 4 + sizeOf(member), 2);
}

function pairsOf(value: Value): (readonly [Value, Value])[] {
  if (value instanceof Dict) return value.pairs();
  return iterate(value).map((pair) => {
    const [key, member, ...more] = iterate(pair);
    if (more.length > 0) throw new PythonError("a dict is made of pairs");
    return [key, member];
  });
}

function range(args: readonly number[]): Value {
  if (args.length === 0 || args.length > 3) throw new PythonError("range takes one to three numbers");
  const [from, to] = args.length === 1 ? [0, args[0]] : args;
  const step = args[2] ?? 1;
  const length = Math.max(0, Math.ceil((to - from) / step));
  if (!(length <= MAX_RANGE)) throw new TemplateLimitError(`it makes a list of ${length} numbers`);
  return Range.between(from, to, step);
}

function cycler(items: readonly Value[]): Value {
  if (items.length === 0) throw new PythonError("a cycler needs a value");
  const made = new Namespace();
  let at = 0;
  const show = () => made.members.set("current", items[at]);
  made.members.set(
    "next",
    new Callable("next", () => {
      const current = items[at];
      at = (at + 1) % items.length;
      show();
      return current;
    }),
  );
  made.members.set(
    "reset",
    new Callable("reset", () => {
      at = 0;
      show();
      return null;
    }),
  );
  show();
  return made;
}

function joiner(args: readonly Value[], named: Named): Value {
  const [separator] = bind("joiner", ["sep"], args, named, 0, [", "]);
  let used = false;
  return new Callable("joiner", () => {
    const text = used ? separator : "";
    used = true;
    return text;
  });
}
