/**
 * Jinja with bounds: templates from models are untrusted.
 *
 * @module
 */
import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";
import { methodCall, prepareProgram, withoutRaw } from "./python_program.ts";
import { asPython, beginTurn, PYTHON_FUNCTIONS, type TemplateValue as Value } from "./python_values.ts";

/** A parsed template. */
export type Program = ReturnType<typeof parse>;

type Statement = Parameters<Interpreter["evaluate"]>[0];

/** Templates in use have at most tens of thousands of characters. */
const MAX_SOURCE = 512 * 1024;

/** Steps that any template may take, and the length of text it may build, before the size of the messages is added. */
const STEPS = 1_000_000;
const TEXT = 1024 * 1024;

/** Longest list that `range` makes. */
const MAX_RANGE = 10_000;

/** A template that uses more steps, text or lists than the messages justify. */
export class TemplateLimitError extends Error {
  override name = "TemplateLimitError";
}

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
  checkGaps(source);
  const program = parse(tokenize(withoutRaw(source), { lstrip_blocks: true, trim_blocks: true }));
  prepareProgram(program);
  return program;
}

/**
 * Renders a template.
 *
 * @param variables What the template sees; its bounds grow with the size of their text.
 * @param now The template's current time.
 * @throws {TemplateLimitError | TemplateRefusal | Error}
 */
export function renderTemplate(program: Program, variables: Readonly<Record<string, unknown>>, now: Date): string {
  const environment = new Environment();
  const globals: Record<string, unknown> = {
    true: true,
    false: false,
    none: null,
    True: true,
    False: false,
    None: null,
    range,
    ...PYTHON_FUNCTIONS,
    raise_exception: (message: unknown): never => {
      throw new TemplateRefusal(String(message));
    },
    strftime_now: (format: unknown): string => formatTime(now, String(format)),
  };
  for (const [name, value] of Object.entries({ ...variables, ...globals })) environment.set(name, value);
  const size = JSON.stringify(variables).length;
  return String(new BoundedInterpreter(environment, size).run(program).value);
}

class BoundedInterpreter extends Interpreter {
  readonly #maxText: number;
  #left: number;
  /** What loops iterate over, once evaluated. */
  readonly #iterables = new WeakSet<object>();
  /** The text size of a list or object, once computed. */
  readonly #sizes = new WeakMap<object, number>();

  constructor(environment: Environment, size: number) {
    super(environment);
    this.#maxText = TEXT + 4 * size;
    this.#left = STEPS + 4 * size;
  }

  override evaluate(statement: Statement, environment: Environment): Value {
    if (this.#left-- < 0) throw new TemplateLimitError("it takes too many steps");
    beginTurn(statement, environment);
    if (statement?.type === "For") this.#iterables.add(iterableOf(statement));
    const value = this.#method(statement, environment) ??
      asPython(statement, super.evaluate(statement, environment));
    if (value.type === "StringValue") {
      this.#spend((value.value as string).length);
    } else if (Array.isArray(value.value) || value.value instanceof Map) {
      const length = Array.isArray(value.value) ? value.value.length : value.value.size;
      this.#left -= length / 64;
      // A loop creates a scope for each member, even if its body is empty.
      if (statement !== undefined && this.#iterables.has(statement)) this.#left -= 4 * length;
      this.#measure(value);
    }
    if (this.#left < 0) throw new TemplateLimitError("it takes too many steps");
    return value;
  }

  #method(statement: Statement, environment: Environment): Value | undefined {
    const method = methodCall(statement);
    if (method === undefined) return undefined;
    const object = this.evaluate(method.object as Statement, environment);
    return object.type === "ObjectValue" ? object.builtins.get(method.name) : undefined;
  }

  #spend(size: number): void {
    if (size > this.#maxText) throw new TemplateLimitError("it builds too much text");
    this.#left -= size / 16;
  }

  /** Lists that contain a list twice double with each step, and their text with them. */
  #measure(value: Value): number {
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    this.#sizes.set(value, 0); // A namespace may contain itself.
    let size = 1;
    const inner = value.value as Value[] | Map<string, Value>;
    for (const member of inner.values()) {
      const held = member.value as unknown;
      if (typeof held === "string") size += held.length;
      else if (Array.isArray(held) || held instanceof Map) size += this.#measure(member);
      else size++;
      if (size > this.#maxText) break;
    }
    this.#spend(size);
    this.#sizes.set(value, size);
    return size;
  }
}

function iterableOf(loop: object): object {
  const { iterable } = loop as { iterable: { type: string; lhs?: object } };
  return iterable.type === "SelectExpression" && iterable.lhs ? iterable.lhs : iterable;
}

function range(start: number, stop?: number, step = 1): number[] {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  const length = Math.max(0, Math.ceil((to - from) / step));
  if (!(length <= MAX_RANGE)) throw new TemplateLimitError(`it makes a list of ${length} numbers`);
  return Array.from({ length }, (_, i) => from + i * step);
}

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** The parts of C's strftime that templates use, in English. */
function formatTime(time: Date, format: string): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const parts: Readonly<Record<string, () => string>> = {
    Y: () => String(time.getFullYear()),
    m: () => two(time.getMonth() + 1),
    d: () => two(time.getDate()),
    B: () => MONTHS[time.getMonth()],
    b: () => MONTHS[time.getMonth()].slice(0, 3),
    A: () => DAYS[time.getDay()],
    a: () => DAYS[time.getDay()].slice(0, 3),
    H: () => two(time.getHours()),
    M: () => two(time.getMinutes()),
    S: () => two(time.getSeconds()),
    "%": () => "%",
  };
  return format.replace(/%([A-Za-z%])/g, (all, letter) => Object.hasOwn(parts, letter) ? parts[letter]() : all);
}

/** White space in a row; the library takes the square of its length. */
const MAX_GAP = 500;

function checkGaps(source: string): void {
  let gap = 0;
  for (let i = 0; i < source.length; i++) {
    gap = source[i].trim() === "" ? gap + 1 : 0;
    if (gap > MAX_GAP) throw new Error(`it has more than ${MAX_GAP} spaces in a row`);
  }
}
