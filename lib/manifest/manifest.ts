/**
 * The provider manifest as types.
 *
 * @module
 */

/** Any JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A list with at least one item. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** What a port carries. */
export type PortType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "enum"
  | "json"
  | "asset"
  | "asset_directory"
  | "asset_collection";

/** The type of a structured value. */
export type ValueSchemaType = "object" | "array" | "string" | "integer" | "number" | "boolean" | "enum" | "json";

/** An accelerator that a node can use. */
export type AcceleratorBackend = "metal" | "cuda" | "rocm" | "cpu";

/** The shape of a structured value. */
export interface ValueSchema {
  readonly type: ValueSchemaType;
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  /** The values of an enum, each once. */
  readonly values?: NonEmpty<string>;
  /** Members of an object by their names. */
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  /** Names of members that an object must have: ids, each once. */
  readonly required?: readonly string[];
  /** The items of an array. */
  readonly items?: ValueSchema;
  /** Members of an object that `properties` does not name. */
  readonly additional_properties?: ValueSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Greater than 0. */
  readonly step?: number;
  readonly multiline?: boolean;
}

/** An input port. */
export interface Input {
  /** An id: a lower-case letter, then at most 63 lower-case letters, digits and underscores. */
  readonly name: string;
  readonly type: PortType;
  readonly required: boolean;
  readonly description?: string;
  readonly default?: JsonValue;
  /** The values of an enum, each once. */
  readonly values?: NonEmpty<string>;
  /** Content types of assets, each once and not empty. */
  readonly content_types?: NonEmpty<string>;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Greater than 0. */
  readonly step?: number;
  readonly multiline?: boolean;
  readonly secret?: boolean;
  readonly advanced?: boolean;
  readonly value_schema?: ValueSchema;
}

/** An output port. */
export interface Output {
  /** An id, as an input's. */
  readonly name: string;
  readonly type: PortType;
  readonly optional: boolean;
  readonly description?: string;
  readonly content_types?: NonEmpty<string>;
}

/** What a node needs of the machine that runs it; null asks for nothing. */
export interface Requirements {
  /** Models, each once and not empty. */
  readonly model_ids: readonly string[];
  /** Accelerators, each once. */
  readonly accelerator_backends: readonly AcceleratorBackend[];
  /** Whole bytes from 0. */
  readonly minimum_accelerator_memory_bytes?: number | null;
  /** Whole bytes from 0. */
  readonly minimum_system_memory_bytes?: number | null;
  /** Whole bytes from 0. */
  readonly minimum_disk_bytes?: number | null;
  /** A whole number from 1. */
  readonly minimum_cpu_cores?: number | null;
  readonly network_access?: boolean | null;
}

/** How a node behaves. */
export interface Traits {
  readonly deterministic: boolean;
  readonly cacheable: boolean;
  readonly side_effects: "none" | "local" | "external";
  readonly supports_progress: boolean;
  readonly supports_previews: boolean;
}

/** How a node is shown. */
export interface Presentation {
  readonly style: "material";
  /** Name of the input that stands for the node. */
  readonly primary_argument?: string;
}

/** A kind of graph node. */
export interface Node {
  /** Two or more segments with dots between them, such as `image.crop`. */
  readonly kind: string;
  /** Not empty, as `description` and `category`. */
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly inputs: readonly Input[];
  readonly outputs: NonEmpty<Output>;
  readonly requirements: Requirements;
  readonly traits: Traits;
  readonly presentation?: Presentation;
}

/** What a plugin provider declares: itself and its kinds of graph nodes. */
export interface Manifest {
  readonly contract_version: "svc/plugin-graph-provider.v1";
  /** `svc-`, then lower-case letters, digits and hyphens. */
  readonly provider_id: `svc-${string}`;
  /** Three numbers with dots between them and, if wanted, a suffix behind a dot or a hyphen. */
  readonly provider_version: string;
  readonly nodes: NonEmpty<Node>;
}
