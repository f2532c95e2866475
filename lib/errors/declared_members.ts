/**
 * The members of a request that no schema declares, at every depth: those that would change the result are refused, all
 * others are named.
 *
 * The schemas that validate a request declare what it may hold. Values of schemas without members of their own, such as
 * JSON Schemas and maps, may hold anything.
 *
 * @module
 */
import type * as v from "valibot";
import { closestWord } from "./closest_word.ts";
import { asksForNothing, type FieldRefusal, refusalOf } from "./field_refusal.ts";
import { asciiText, show } from "./show.ts";

/** A schema of objects that lists which further members would change the result. */
export type DeclaredSchema<S> = S & { readonly refusals: readonly FieldRefusal[] };

/** Adds to a schema of objects the members that would change the result and are not supported. */
export function refusing<S extends v.GenericSchema>(
  schema: S,
  refusals: readonly FieldRefusal[],
): DeclaredSchema<S> {
  return Object.assign(schema, { refusals });
}

/** Adds to a schema that takes any value what it may hold, for values that are read by other means. */
export function holding<S extends v.GenericSchema>(schema: S, shape: v.GenericSchema): S {
  return Object.assign(schema, { shape });
}

/** A member that must be refused. */
export interface RefusedMember {
  readonly path: string;
  /** Its value and what was expected, such as `"tools[0].strict" is true, expected no such field`. */
  readonly reason: string;
}

/** An ignored member. */
export interface IgnoredMember {
  /** Its path, such as `messages[0].x`. */
  readonly path: string;
  readonly name: string;
  /** Names that may have been meant. */
  readonly known: readonly string[];
}

/** What a value has besides the members that its schema declares. */
export interface OtherMembers {
  readonly refused: RefusedMember | undefined;
  /** The first of those that have no effect. */
  readonly ignored: readonly IgnoredMember[];
  /** A sentence in ASCII for each of them, as many as fit into a header. */
  readonly warnings: readonly string[];
}

/** What the walk looks at of a schema. */
interface Shape {
  readonly type: string;
  readonly shape?: Shape;
  readonly wrapped?: Shape;
  readonly getter?: (value: unknown) => Shape;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly item?: Shape;
  readonly value?: Shape;
  readonly refusals?: readonly FieldRefusal[];
}

/** Sentences about ignored members, and characters of all of them: clients limit the headers that they take. */
const MAX_SENTENCES = 16;
const MAX_CHARACTERS = 4000;

/** Characters of a path in a sentence. */
const MAX_PATH = 160;

/**
 * Finds the members that a schema does not declare, in the order of the value.
 *
 * @param value A value that the schema has accepted.
 * @param refusals Further members that would change the result, of the value itself.
 */
export function otherMembers(
  schema: v.GenericSchema,
  value: unknown,
  refusals: readonly FieldRefusal[] = [],
): OtherMembers {
  const walk = new Walk();
  const shape = schema as unknown as Shape;
  walk.visit({ ...shape, refusals: [...shape.refusals ?? [], ...refusals] }, value, "");
  const { refused, ignored, count } = walk;
  return { refused, ignored, warnings: ignoredSentences(ignored, count) };
}

class Walk {
  refused: RefusedMember | undefined;
  /** The first ones. */
  readonly ignored: IgnoredMember[] = [];
  /** How many there are. */
  count = 0;

  visit(schema: Shape, value: unknown, path: string): void {
    if (typeof value !== "object" || value === null || this.refused) return;
    const inner = schema.shape ?? schema.wrapped ?? schema.getter?.(value);
    if (inner) return this.visit(inner, value, path);
    if (Array.isArray(value)) {
      const { item } = schema;
      if (item) value.forEach((one, i) => this.visit(item, one, `${path}[${i}]`));
      return;
    }
    const { entries, refusals = [], value: any } = schema;
    if (!entries && !any) return;
    for (const [name, member] of Object.entries(value)) {
      const at = path === "" ? name : `${path}.${name}`;
      if (!entries) this.visit(any!, member, at);
      else if (Object.hasOwn(entries, name)) this.visit(entries[name], member, at);
      else this.#other(Object.keys(entries), refusals, { name, member, at });
    }
  }

  #other(
    known: readonly string[],
    refusals: readonly FieldRefusal[],
    { name, member, at }: { readonly name: string; readonly member: unknown; readonly at: string },
  ): void {
    const refusal = refusalOf(name, refusals);
    if (refusal === undefined) {
      if (++this.count <= MAX_SENTENCES) this.ignored.push({ path: at, name, known });
    } else if (!asksForNothing(member, refusal)) {
      this.refused ??= { path: at, reason: `${show(at)} is ${show(member)}, ${refusal.remedy}` };
    }
  }
}

/** A sentence for each of the first ignored members, as many as fit into a header, in ASCII. */
export function ignoredSentences(members: readonly IgnoredMember[], count: number = members.length): string[] {
  const sentences: string[] = [];
  let room = MAX_CHARACTERS;
  for (const { path, name, known } of members.slice(0, MAX_SENTENCES)) {
    const meant = closestWord(name, known);
    const sentence = `Ignored the unknown field ${quoted(path)}${meant ? `, did you mean "${meant}"?` : ""}`;
    room -= sentence.length;
    if (room < 0) break;
    sentences.push(sentence);
  }
  const others = count - sentences.length;
  return others === 0 ? sentences : [...sentences, `Ignored ${others} more fields`];
}

/** A path with both of its ends, however long the names are that a client has chosen. */
function quoted(path: string): string {
  const half = (MAX_PATH - 3) >> 1;
  const short = path.length > MAX_PATH ? `${path.slice(0, half)}...${path.slice(-half)}` : path;
  return asciiText(JSON.stringify(short));
}
