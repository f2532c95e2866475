/**
 * Arguments of Python's functions.
 *
 * @module
 */
import { type Named, PythonError, type Value } from "./values.ts";

/**
 * The values of parameters, in their order.
 *
 * @param required How many must be given.
 * @param defaults What the others are otherwise.
 */
export function bind(
  name: string,
  parameters: readonly string[],
  args: readonly Value[],
  named: Named,
  required = 0,
  defaults: readonly Value[] = [],
): Value[] {
  if (args.length > parameters.length) throw new PythonError(`${name} takes at most ${parameters.length} arguments`);
  for (const [given] of named) {
    const at = parameters.indexOf(given);
    if (at < args.length) throw new PythonError(`${name} cannot take the argument ${given}`);
  }
  return parameters.map((parameter, i) => {
    if (i < args.length) return args[i];
    if (named.has(parameter)) return named.get(parameter);
    if (i < required) throw new PythonError(`${name} needs the argument ${parameter}`);
    return defaults[i];
  });
}
