/** A part of a JSON document. */
export type JsonObject = { [key: string]: unknown };

/**
 * The schema of a body whose fields are accepted in snake_case and in camelCase, each in one of the two.
 *
 * @param schema The schema of an object, its fields in snake_case.
 */
export function bothSpellings(schema: JsonObject): JsonObject {
  const { properties, required, ...rest } = schema as {
    properties: Record<string, JsonObject>;
    required: string[];
    [key: string]: unknown;
  };
  const spelled: Record<string, JsonObject> = {};
  const allOf: JsonObject[] = [];
  for (const [field, value] of Object.entries(properties)) {
    const inner = "properties" in value ? bothSpellings(value) : value;
    const twin = field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    spelled[field] = inner;
    if (twin === field) continue;
    const { default: _, ...same } = inner;
    spelled[twin] = { ...same, description: `The same as ${field}` };
    allOf.push(
      required.includes(field)
        ? { oneOf: [{ required: [field] }, { required: [twin] }] }
        : { not: { required: [field, twin] } },
    );
  }
  const alone = required.filter((field) => !field.includes("_"));
  return {
    ...rest,
    properties: spelled,
    ...(alone.length > 0 && { required: alone }),
    ...(allOf.length > 0 && { allOf }),
    additionalProperties: false,
  };
}
