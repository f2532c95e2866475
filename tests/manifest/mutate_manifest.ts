/**
 * Small changes of JSON values, such as people and programs make them by mistake.
 *
 * @module
 */

/** One change: where (an index into all places, wrapping around), what is done there, and with which material. */
export interface Mutation {
  readonly place: number;
  readonly action: number;
  readonly material: number;
}

/** Values that rules are likely to have an opinion about. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  1.5,
  1e300,
  Infinity,
  9007199254740993,
  "",
  " ",
  "a",
  "A",
  "a.b",
  "a_b",
  "svc-a",
  "1.0.0",
  "1.0.0\n",
  "material",
  "string",
  "object",
  "cpu",
  "constructor",
  "__proto__",
  "\ud800",
  [],
  [""],
  ["a", "a"],
  ["a", "b"],
  [[1, { a: [] }]],
  {},
  { type: "string" },
  { type: "array", items: { type: "enum" } },
  { type: "object", properties: { x: { type: "number", step: 0 } }, required: ["x"] },
];

/** Names that are known somewhere, almost known, or special to the language. */
const NAMES: readonly string[] = [
  ...[
    "type",
    "name",
    "title",
    "default",
    "values",
    "step",
    "minimum",
    "required",
    "value_schema",
    "items",
    "properties",
  ],
  ...["content_types", "presentation", "style", "primary_argument", "network_access", "minimum_cpu_cores", "secret"],
  ...["typ", "titel", "Name", "requierd", "extra", "", "a/b~c", "__proto__", "constructor", "toString", "0"],
];

/** The value after some changes; the value itself stays as it is. */
export function mutated(value: unknown, mutations: readonly Mutation[]): unknown {
  const root = { value: structuredClone(value) };
  for (const { place, action, material } of mutations) {
    const places = placesIn(root);
    const { container, key } = places[place % places.length];
    const replacement = structuredClone(VALUES[material % VALUES.length]);
    const name = NAMES[material % NAMES.length];
    const target = (container as Record<string, unknown>)[key];
    switch (action % 4) {
      case 0:
        put(container, key, replacement);
        break;
      case 1:
        if (container !== root) remove(container, key);
        break;
      case 2: // A member more, or another name for one.
        if (typeof target === "object" && target !== null && !Array.isArray(target)) put(target, name, replacement);
        else if (container !== root && !Array.isArray(container)) {
          remove(container, key);
          put(container, name, target);
        }
        break;
      case 3:
        if (Array.isArray(target)) target.push(target.length > 0 ? structuredClone(target[0]) : replacement);
        else put(container, key, replacement);
    }
  }
  return root.value;
}

function placesIn(root: object): { readonly container: object; readonly key: string }[] {
  const places: { readonly container: object; readonly key: string }[] = [];
  const visit = (container: object): void => {
    for (const key of Object.keys(container)) {
      places.push({ container, key });
      const value = (container as Record<string, unknown>)[key];
      if (typeof value === "object" && value !== null) visit(value);
    }
  };
  visit(root);
  return places;
}

function put(container: object, key: string, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

function remove(container: object, key: string): void {
  if (Array.isArray(container)) container.splice(Number(key), 1);
  else delete (container as Record<string, unknown>)[key];
}
