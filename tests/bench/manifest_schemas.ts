/**
 * The provider manifest as its authors would write it for valibot and for zod, to measure these libraries.
 *
 * @module
 */
import * as v from "valibot";
import * as z from "zod";
import {
  ACCELERATOR_BACKENDS,
  CONTRACT_VERSION,
  PORT_TYPES,
  SIDE_EFFECTS,
  VALUE_SCHEMA_TYPES,
} from "../../lib/manifest/validate/manifest_rules.ts";

const ID = /^[a-z][a-z0-9_]{0,63}$/;
const KIND = /^[a-z][a-z0-9-]{0,63}(\.[a-z][a-z0-9-]{0,63})+$/;
const PROVIDER = /^svc-[a-z0-9-]+$/;
const VERSION = /^[0-9]+\.[0-9]+\.[0-9]+([.-][A-Za-z0-9.-]+)?$/;
const isUnique = (items: readonly unknown[]): boolean => new Set(items).size === items.length;

/** Whether a value conforms, with all issues collected. */
export const acceptsWithValibot: (value: unknown) => boolean = valibotCheck();
/** Whether a value conforms, with all issues collected. */
export const acceptsWithZod: (value: unknown) => boolean = zodCheck();

function valibotCheck(): (value: unknown) => boolean {
  const value: v.GenericSchema = v.lazy(() =>
    v.union([v.null(), v.string(), v.number(), v.boolean(), v.array(value), v.record(v.string(), value)])
  );
  const text = v.pipe(v.string(), v.minLength(1));
  const id = v.pipe(v.string(), v.regex(ID));
  const step = v.pipe(v.number(), v.gtValue(0));
  const values = v.pipe(v.array(v.string()), v.minLength(1), v.check((items) => isUnique(items)));
  const contentTypes = v.pipe(v.array(text), v.minLength(1), v.check((items) => isUnique(items)));
  const limits = { minimum: v.optional(v.number()), maximum: v.optional(v.number()), step: v.optional(step) };
  const valueSchema: v.GenericSchema = v.strictObject({
    type: v.picklist(VALUE_SCHEMA_TYPES),
    title: v.optional(v.string()),
    description: v.optional(v.string()),
    default: v.optional(value),
    values: v.optional(values),
    properties: v.optional(v.record(v.string(), v.lazy(() => valueSchema))),
    required: v.optional(v.pipe(v.array(id), v.check((items) => isUnique(items)))),
    items: v.optional(v.lazy(() => valueSchema)),
    additional_properties: v.optional(v.lazy(() => valueSchema)),
    ...limits,
    multiline: v.optional(v.boolean()),
  });
  const input = v.strictObject({
    name: id,
    type: v.picklist(PORT_TYPES),
    required: v.boolean(),
    description: v.optional(v.string()),
    default: v.optional(value),
    values: v.optional(values),
    content_types: v.optional(contentTypes),
    ...limits,
    multiline: v.optional(v.boolean()),
    secret: v.optional(v.boolean()),
    advanced: v.optional(v.boolean()),
    value_schema: v.optional(valueSchema),
  });
  const output = v.strictObject({
    name: id,
    type: v.picklist(PORT_TYPES),
    optional: v.boolean(),
    description: v.optional(v.string()),
    content_types: v.optional(contentTypes),
  });
  const bytes = v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))));
  const node = v.strictObject({
    kind: v.pipe(v.string(), v.regex(KIND)),
    title: text,
    description: text,
    category: text,
    inputs: v.array(input),
    outputs: v.pipe(v.array(output), v.minLength(1)),
    requirements: v.strictObject({
      model_ids: v.pipe(v.array(text), v.check((items) => isUnique(items))),
      accelerator_backends: v.pipe(v.array(v.picklist(ACCELERATOR_BACKENDS)), v.check((items) => isUnique(items))),
      minimum_accelerator_memory_bytes: bytes,
      minimum_system_memory_bytes: bytes,
      minimum_disk_bytes: bytes,
      minimum_cpu_cores: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1)))),
      network_access: v.optional(v.nullable(v.boolean())),
    }),
    traits: v.strictObject({
      deterministic: v.boolean(),
      cacheable: v.boolean(),
      side_effects: v.picklist(SIDE_EFFECTS),
      supports_progress: v.boolean(),
      supports_previews: v.boolean(),
    }),
    presentation: v.optional(v.strictObject({ style: v.literal("material"), primary_argument: v.optional(id) })),
  });
  const manifest = v.strictObject({
    contract_version: v.literal(CONTRACT_VERSION),
    provider_id: v.pipe(v.string(), v.regex(PROVIDER)),
    provider_version: v.pipe(v.string(), v.regex(VERSION)),
    nodes: v.pipe(v.array(node), v.minLength(1)),
  });
  return (value) => v.safeParse(manifest, value).success;
}

function zodCheck(): (value: unknown) => boolean {
  const value: z.ZodType = z.lazy(() =>
    z.union([z.null(), z.string(), z.number(), z.boolean(), z.array(value), z.record(z.string(), value)])
  );
  const text = z.string().min(1);
  const id = z.string().regex(ID);
  const step = z.number().gt(0);
  const values = z.array(z.string()).min(1).refine(isUnique);
  const contentTypes = z.array(text).min(1).refine(isUnique);
  const limits = { minimum: z.number().optional(), maximum: z.number().optional(), step: step.optional() };
  const valueSchema: z.ZodType = z.strictObject({
    type: z.enum(VALUE_SCHEMA_TYPES),
    title: z.string().optional(),
    description: z.string().optional(),
    default: value.optional(),
    values: values.optional(),
    properties: z.record(z.string(), z.lazy(() => valueSchema)).optional(),
    required: z.array(id).refine(isUnique).optional(),
    items: z.lazy(() => valueSchema).optional(),
    additional_properties: z.lazy(() => valueSchema).optional(),
    ...limits,
    multiline: z.boolean().optional(),
  });
  const input = z.strictObject({
    name: id,
    type: z.enum(PORT_TYPES),
    required: z.boolean(),
    description: z.string().optional(),
    default: value.optional(),
    values: values.optional(),
    content_types: contentTypes.optional(),
    ...limits,
    multiline: z.boolean().optional(),
    secret: z.boolean().optional(),
    advanced: z.boolean().optional(),
    value_schema: valueSchema.optional(),
  });
  const output = z.strictObject({
    name: id,
    type: z.enum(PORT_TYPES),
    optional: z.boolean(),
    description: z.string().optional(),
    content_types: contentTypes.optional(),
  });
  const bytes = z.int().min(0).nullable().optional();
  const node = z.strictObject({
    kind: z.string().regex(KIND),
    title: text,
    description: text,
    category: text,
    inputs: z.array(input),
    outputs: z.array(output).min(1),
    requirements: z.strictObject({
      model_ids: z.array(text).refine(isUnique),
      accelerator_backends: z.array(z.enum(ACCELERATOR_BACKENDS)).refine(isUnique),
      minimum_accelerator_memory_bytes: bytes,
      minimum_system_memory_bytes: bytes,
      minimum_disk_bytes: bytes,
      minimum_cpu_cores: z.int().min(1).nullable().optional(),
      network_access: z.boolean().nullable().optional(),
    }),
    traits: z.strictObject({
      deterministic: z.boolean(),
      cacheable: z.boolean(),
      side_effects: z.enum(SIDE_EFFECTS),
      supports_progress: z.boolean(),
      supports_previews: z.boolean(),
    }),
    presentation: z.strictObject({ style: z.literal("material"), primary_argument: id.optional() }).optional(),
  });
  const manifest = z.strictObject({
    contract_version: z.literal(CONTRACT_VERSION),
    provider_id: z.string().regex(PROVIDER),
    provider_version: z.string().regex(VERSION),
    nodes: z.array(node).min(1),
  });
  return (value) => manifest.safeParse(value).success;
}
