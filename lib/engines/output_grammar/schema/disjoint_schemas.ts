/**
 * Whether two schemas exclude each other.
 *
 * @module
 */
import { equalJson, isOfType } from "../json_values.ts";
import { type AllOf, mergeTypes, type PlainSchema } from "./plain_schema.ts";

/** Flattens schemas into alternatives. */
export type Flatten = (places: AllOf) => readonly PlainSchema[];

/** Maximum depth of compared objects. */
const DEEPEST = 3;

/**
 * Whether it is certain that no value satisfies both: their types or values differ, or objects have a property that
 * distinguishes them, such as a `const`. False also when it cannot be determined.
 */
export function areDisjoint(a: PlainSchema, b: PlainSchema, flatten: Flatten, depth: number = DEEPEST): boolean {
  if (a.values !== undefined && b.values !== undefined) {
    return !a.values.some((value) => b.values!.some((other) => equalJson(value, other)));
  }
  const types = mergeTypes(a.types, b.types);
  if (types?.size === 0) return true;
  const values = a.values ?? b.values;
  if (values !== undefined) return types !== undefined && !values.some((value) => isOfType(value, types));
  if (types === undefined || types.size !== 1 || !types.has("object") || depth === 0) return false;
  return hasTelling(a, b, flatten, depth) || hasTelling(b, a, flatten, depth);
}

/** Whether `a` requires a property without a common value in `b`. */
function hasTelling(a: PlainSchema, b: PlainSchema, flatten: Flatten, depth: number): boolean {
  return [...a.required].some((name) => {
    const [left, right] = [a.properties.get(name) ?? a.additional ?? [], b.properties.get(name) ?? b.additional ?? []];
    // Comparing recursive references would not terminate.
    if (left.length === 0 && right.length === 0) return false;
    const [these, those] = [flatten(left), flatten(right)];
    return these.every((one) => those.every((other) => areDisjoint(one, other, flatten, depth - 1)));
  });
}
