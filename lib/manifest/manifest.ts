/**
 * Types of the provider manifest.
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

/** A non-empty list. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** The type of a port. */
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
  /** The values of an enum, unique. */
  readonly values?: NonEmpty<string>;
  /** Members of an object by their names. */
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  /** Names of required members: unique ids. */
  readonly required?: readonly string[];
  /** The items of an array. */
  readonly items?: ValueSchema;
  /** Members of an object that are not in `properties`. */
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
  /** The values of an enum, unique. */
  readonly values?: NonEmpty<string>;
  /** Content types of assets, unique and not empty. */
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
  /** An id, as for inputs. */
  readonly name: string;
  readonly type: PortType;
  readonly optional: boolean;
  readonly description?: string;
  readonly content_types?: NonEmpty<string>;
}

/** What a node requires of the machine; null requires nothing. */
export interface Requirements {
  /** Models, unique and not empty. */
  readonly model_ids: readonly string[];
  /** Accelerators, unique. */
  readonly accelerator_backends: readonly AcceleratorBackend[];
  /** An integer number of bytes, at least 0. */
  readonly minimum_accelerator_memory_bytes?: number | null;
  /** An integer number of bytes, at least 0. */
  readonly minimum_system_memory_bytes?: number | null;
  /** An integer number of bytes, at least 0. */
  readonly minimum_disk_bytes?: number | null;
  /** An integer of at least 1. */
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

/** How a node is presented. */
export interface Presentation {
  readonly style: "material";
  /** Name of the input that represents the node. */
  readonly primary_argument?: string;
}

/** A kind of graph node. */
export interface Node {
  /** Two or more segments separated by dots, such as `image.crop`. */
  readonly kind: string;
  /** Not empty, like `description` and `category`. */
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly inputs: readonly Input[];
  readonly outputs: NonEmpty<Output>;
  readonly requirements: Requirements;
  readonly traits: Traits;
  readonly presentation?: Presentation;
}

/** The declaration of a plugin provider: itself and its kinds of graph nodes. */
export interface Manifest {
  readonly contract_version: "svc/plugin-graph-provider.v1";
  /** `svc-`, then lower-case letters, digits and hyphens. */
  readonly provider_id: `svc-${string}`;
  /** Three numbers separated by dots, optionally followed by a suffix after a dot or a hyphen. */
  readonly provider_version: string;
  readonly nodes: NonEmpty<Node>;
}
