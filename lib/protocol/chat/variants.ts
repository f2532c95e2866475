/**
 * Objects of several types, by their member `type`.
 *
 * @module
 */
import * as v from "valibot";

/** A schema of objects other than arrays, which a schema of objects accepts too. */
export function notArray<S extends v.GenericSchema>(
  schema: S,
  expected: string,
): v.GenericSchema<unknown, v.InferOutput<S>> {
  const array = v.custom<v.InferOutput<S>>(() => false, expected);
  return v.lazy((value) => Array.isArray(value) ? array : schema) as v.GenericSchema<unknown, v.InferOutput<S>>;
}

/**
 * A schema of objects of several types; of another type only the type is reported.
 *
 * @param schemas By type.
 * @param what What an object is, such as `a block`.
 * @param remedies What is said of types that are known and not supported.
 * @param otherwise The type of an object without one.
 */
export function variants(
  schemas: Readonly<Record<string, v.GenericSchema>>,
  what: string,
  remedies: Readonly<Record<string, string>> = {},
  otherwise?: string,
): v.GenericSchema {
  const names = Object.keys(schemas).join(", ");
  return v.lazy((value) => {
    const { type: given } = (typeof value === "object" && value !== null ? value : {}) as { type?: unknown };
    const type = given ?? otherwise;
    if (typeof type === "string" && Object.hasOwn(schemas, type)) return schemas[type];
    const remedy = typeof type === "string" && Object.hasOwn(remedies, type) ? `: ${remedies[type]}` : "";
    const expected = `expected one of ${names}${remedy}`;
    const isObject = typeof value === "object" && value !== null;
    return v.object(
      { type: v.pipe(v.string(expected), v.check(() => false, expected)) },
      isObject ? expected : `expected ${what} of one of the types ${names}`,
    );
  });
}
