/**
 * JSON Schema in an independent validator.
 *
 * @module
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../lib/manifest/mod.ts";

/** What ajv makes of a schema; in strict mode, so that a schema with a mistake throws. */
export function compileSchema(schema: JsonSchema): (value: unknown) => boolean {
  const validate = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);
  return (value) => validate(value);
}
