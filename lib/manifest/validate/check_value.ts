/**
 * Checks a JSON value against a rule.
 *
 * @module
 */
import { type Fault, faultMessage, faultOf } from "./fault.ts";
import type { FindingList } from "./finding_list.ts";
import { pointerToken } from "../../json/json_pointer.ts";
import { memberFindings } from "./member_findings.ts";
import { matches, type Rule } from "./rule.ts";
import { quote } from "../../json/json_text.ts";
import { describeValue } from "../words.ts";

/**
 * Checks a value and everything in it, in document order. It keeps its own stack, so that no depth overflows; time and
 * memory are linear.
 *
 * @param root Name of the value in messages, such as `the manifest`.
 */
export function checkValue(value: unknown, rule: Rule, root: string, list: FindingList): void {
  new Walk(root, list).run(value, rule);
}

/** A container being checked. */
interface Frame {
  container: object;
  rule: Rule;
  /** Names of an object's members; undefined for an array. */
  keys: readonly string[] | undefined;
  length: number;
  /** Index of the item or member that comes next. */
  next: number;
  /** Number of required members found. */
  required: number;
  /** Members that the rule does not define. */
  unknown: string[] | undefined;
  /** Position in the list of the findings of its members. */
  start: number;
  /** First index of each string of a long array of unique strings. */
  seen: Map<string, number> | undefined;
}

class Walk {
  readonly #root: string;
  readonly #list: FindingList;
  /** The open containers, outermost first: together they are the path. Frames beyond the depth are reused. */
  readonly #stack: Frame[] = [];
  #depth = -1;
  /** The open containers once there are many; few are faster to search. */
  #open: Set<object> | undefined;

  constructor(root: string, list: FindingList) {
    this.#root = root;
    this.#list = list;
  }

  run(value: unknown, rule: Rule): void {
    this.#check(value, rule);
    while (this.#depth >= 0) {
      const depth = this.#depth;
      const frame = this.#stack[depth];
      if (frame.keys === undefined) this.#walkItems(frame, depth);
      else this.#walkMembers(frame, frame.keys, depth);
      if (this.#depth === depth) this.#leave(frame);
    }
  }

  /** Checks items until one of them is a container, which becomes the top of the stack. */
  #walkItems(frame: Frame, depth: number): void {
    const array = frame.container as readonly unknown[];
    const { length, rule: { items, unique } } = frame;
    while (frame.next < length) {
      const item = array[frame.next++];
      this.#check(item, items as Rule);
      if (this.#depth !== depth) return;
      if (unique && typeof item === "string") this.#checkUnique(frame, array, item);
    }
  }

  /** Checks members until one of them is a container, which becomes the top of the stack. */
  #walkMembers(frame: Frame, keys: readonly string[], depth: number): void {
    const object = frame.container as Readonly<Record<string, unknown>>;
    const { length, rule: { members, rest } } = frame;
    while (frame.next < length) {
      const key = keys[frame.next++];
      const value = object[key];
      const member = members.get(key);
      if (member !== undefined) {
        if (value === undefined) continue;
        if (member.required) frame.required++;
        this.#check(value, member.rule);
      } else if (rest !== undefined) this.#check(value, rest);
      else if ((frame.unknown ??= []).length < this.#list.room) frame.unknown.push(key);
      else this.#list.omitted++;
      if (this.#depth !== depth) return;
    }
  }

  /** Checks the current value of the top frame; an allowed container becomes the top frame. */
  #check(value: unknown, rule: Rule): void {
    switch (rule.type) {
      case "string":
        if (
          typeof value === "string" && (!rule.filled || value !== "") &&
          (rule.pattern === undefined || matches(rule.pattern, value)) &&
          (rule.choices === undefined || rule.choices.has(value)) &&
          (rule.constant === undefined || rule.constant === value)
        ) return;
        break;
      case "boolean":
        if (typeof value === "boolean") return;
        break;
      case "number":
      case "integer":
        if (
          typeof value === "number" && value >= rule.minimum && value <= rule.maximum && value > rule.above &&
          (rule.type === "integer" ? Number.isInteger(value) : Number.isFinite(value))
        ) return;
        break;
      case "array":
        if (Array.isArray(value)) return this.#enter(value, rule, undefined);
        break;
      case "object":
        if (typeof value === "object" && value !== null && !Array.isArray(value)) {
          return this.#enter(value, rule, Object.keys(value));
        }
        break;
      case "value":
        if (typeof value === "object" && value !== null) {
          return this.#enter(value, rule, Array.isArray(value) ? undefined : Object.keys(value));
        }
        if (typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value)) return;
    }
    if (value !== null || !rule.nullable) this.#add(faultOf(value, rule));
  }

  #enter(container: object, rule: Rule, keys: readonly string[] | undefined): void {
    const length = keys === undefined ? (container as readonly unknown[]).length : keys.length;
    if (length < rule.minItems) this.#add({ rule: "min_items", actual: "empty", expected: "at least 1 item" });
    if (length === 0 && rule.required === 0) return;
    if (this.#isOpen(container)) {
      return this.#add({ rule: "type", actual: "a part of itself", expected: "tree without cycles" });
    }
    const frame = this.#stack[++this.#depth] ??= {} as Frame;
    frame.container = container;
    frame.rule = rule;
    frame.keys = keys;
    frame.length = length;
    frame.next = 0;
    frame.required = 0;
    frame.unknown = undefined;
    frame.start = this.#list.findings.length;
    frame.seen = undefined;
  }

  #leave({ container, rule, required, unknown = [], start }: Frame): void {
    this.#open?.delete(container);
    this.#depth--;
    if (required === rule.required && unknown.length === 0) return;
    const own = memberFindings(container, rule, unknown, this.#pointer(this.#depth), this.#subject());
    this.#list.insert(start, own);
  }

  #isOpen(container: object): boolean {
    const stack = this.#stack;
    if (this.#open !== undefined) {
      const open = this.#open.has(container);
      this.#open.add(container);
      return open;
    }
    for (let i = this.#depth; i >= 0; i--) if (stack[i].container === container) return true;
    if (this.#depth > SEARCHED) this.#open = new Set([...stack.map((frame) => frame.container), container]);
    return false;
  }

  #checkUnique(frame: Frame, array: readonly unknown[], item: string): void {
    const index = frame.next - 1;
    let first: number | undefined;
    if (frame.length <= SEARCHED) first = array.indexOf(item);
    else {
      frame.seen ??= new Map();
      first = frame.seen.get(item);
      if (first === undefined) frame.seen.set(item, first = index);
    }
    if (first === index) return;
    this.#add({
      rule: "unique_items",
      actual: `${describeValue(item)}, the same as item ${first}`,
      expected: "unique items",
      otherPointer: `${this.#pointer(this.#depth - 1)}/${first}`,
    });
  }

  #add(fault: Fault): void {
    if (this.#list.room <= 0) {
      this.#list.omitted++;
      return;
    }
    const pointer = this.#pointer(this.#depth);
    this.#list.add({ ...fault, pointer, severity: "error", message: faultMessage(this.#subject(), fault) });
  }

  /** The pointer of the current value of the frame at `depth`; of the root when there is no frame. */
  #pointer(depth: number): string {
    let pointer = "";
    for (let i = 0; i <= depth; i++) pointer += pointerToken(this.#key(i));
    return pointer;
  }

  /** The name or index of the current value of the frame at `depth`. */
  #key(depth: number): string | number {
    const { keys, next } = this.#stack[depth];
    return keys === undefined ? next - 1 : keys[next - 1];
  }

  /** The current value of the top frame, as text. */
  #subject(): string {
    if (this.#depth < 0) return this.#root;
    const key = this.#key(this.#depth);
    if (typeof key === "string") return quote(key);
    return this.#depth === 0 ? `item ${key}` : `item ${key} of ${quote(String(this.#key(this.#depth - 1)))}`;
  }
}

/** Up to so many containers or strings are compared one by one, which is faster than hashing them. */
const SEARCHED = 32;
