/**
 * The one place where the camelCase of the TypeScript API meets the snake_case of the wire and of journals.
 *
 * @module
 */

/** A name as the wire has it: `stateId` is `state_id`. */
type WireName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${WireName<Rest>}`
  : Name;

/** A record or a request as it goes over the wire: the same values, every name in snake_case. */
export type Wire<T> = T extends string | number | boolean | bigint | null | undefined ? T
  : T extends readonly unknown[] ? { [Index in keyof T]: Wire<T[Index]> }
  : { [Name in keyof T as Name extends string ? WireName<Name> : Name]: Wire<T[Name]> };

/**
 * A value in the wire's form. Every name of an object is that of a field: no record of a world has names that are data.
 *
 * @example
 * ```ts
 * import { fromWire, toWire } from "./wire_form.ts";
 * const written = toWire({ stateId: "a", worldPose: { worldToCamera: [1, 0] } });
 * console.assert(JSON.stringify(written) === '{"state_id":"a","world_pose":{"world_to_camera":[1,0]}}');
 * console.assert(fromWire<{ stateId: string }>(written).stateId === "a");
 * ```
 */
export function toWire<T>(value: T): Wire<T> {
  return renamed(value, wireName) as Wire<T>;
}

/**
 * A value of the wire in the form of the TypeScript API, trusted to have the schema of `T`.
 */
export function fromWire<T>(value: Wire<T>): T {
  return renamed(value, memberName) as T;
}

/** The name of a member on the wire. */
export const wireName: (name: string) => string = remembered((name) => {
  let written = "";
  for (const letter of name) written += letter >= "A" && letter <= "Z" ? `_${letter.toLowerCase()}` : letter;
  return written;
});

/** The name in the TypeScript API of a field of the wire. */
export const memberName: (name: string) => string = remembered((name) => {
  const [first, ...others] = name.split("_");
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
});

/** Names that are remembered at most: records have about two hundred, but an answer may come from anywhere. */
const MAX_NAMES = 1000;

function remembered(make: (name: string) => string): (name: string) => string {
  const names = new Map<string, string>();
  return (name) => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const made = make(name);
    if (names.size < MAX_NAMES) names.set(name, made);
    return made;
  };
}

function renamed(value: unknown, nameOf: (name: string) => string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, nameOf));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [nameOf(name), renamed(field, nameOf)]));
}
