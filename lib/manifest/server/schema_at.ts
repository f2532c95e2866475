/**
 * What the JSON Schema of manifests says about a place.
 *
 * @module
 */
import { manifestSchema } from "../mod.ts";

/** The part of a schema that editors show. */
export interface SchemaPart {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly required?: readonly string[];
  readonly items?: SchemaPart;
  readonly anyOf?: readonly SchemaPart[];
  readonly oneOf?: readonly SchemaPart[];
  readonly allOf?: readonly SchemaPart[];
}

const root = manifestSchema() as SchemaPart & { readonly $defs?: Readonly<Record<string, SchemaPart>> };

/** All schemas that hold at a path; none where the manifest has no such member. */
export function schemasAt(path: readonly (string | number)[]): readonly SchemaPart[] {
  let parts = alternatives(root);
  for (const key of path) {
    parts = parts.flatMap(({ properties, items }) => {
      if (typeof key === "number") return items ? alternatives(items) : [];
      return properties && Object.hasOwn(properties, key) ? alternatives(properties[key]) : [];
    });
  }
  return parts;
}

/** The schema itself and those that it refers to or chooses from. */
function alternatives(part: SchemaPart): SchemaPart[] {
  const target = part.$ref === undefined ? undefined : root.$defs?.[part.$ref.replace("#/$defs/", "")];
  const others = [...target ? [target] : [], ...part.anyOf ?? [], ...part.oneOf ?? [], ...part.allOf ?? []];
  return [part, ...others.flatMap(alternatives)];
}

/** The values that a schema lists. */
export function listedValues(parts: readonly SchemaPart[]): readonly unknown[] {
  const values = parts.flatMap((part) => [
    ..."const" in part ? [part.const] : [],
    ...part.enum ?? [],
    ...typesOf(part).includes("boolean") ? [true, false] : [],
    ...typesOf(part).includes("null") ? [null] : [],
  ]);
  return [...new Set(values)];
}

/** Description and type in one text, for people. */
export function describeSchemas(parts: readonly SchemaPart[]): string | undefined {
  const description = parts.find((part) => part.description !== undefined)?.description;
  const types = [...new Set(parts.flatMap(typesOf))].join(" or ");
  const values = listedValues(parts).filter((value) => typeof value === "string").map((value) => JSON.stringify(value));
  const lines = [description, types && `Type: ${types}`, values.length > 0 && `One of ${values.join(", ")}`];
  return lines.filter(Boolean).join("\n\n") || undefined;
}

function typesOf({ type }: SchemaPart): readonly string[] {
  return typeof type === "string" ? [type] : type ?? [];
}
