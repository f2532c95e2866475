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

/** The shape of a structured value. */
export interface ValueSchema {
  /** Type of the value. */
  readonly type: ValueSchemaType;
  /** Short name for people. */
  readonly title?: string;
  /** Describes it for people. */
  readonly description?: string;
  /** Value where none is given. */
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
  /** Smallest value. */
  readonly minimum?: number;
  /** Largest value. */
  readonly maximum?: number;
  /** Greater than 0. */
  readonly step?: number;
  /** Whether text may have several lines. */
  readonly multiline?: boolean;
}

/** An input port. */
export interface Input {
  /** An id: a lower-case letter, then at most 63 lower-case letters, digits and underscores. */
  readonly name: string;
  /** Type of the value. */
  readonly type: PortType;
  /** Whether a value must be given. */
  readonly required: boolean;
  /** Describes it for people. */
  readonly description?: string;
  /** Value where none is given. */
  readonly default?: JsonValue;
  /** The values of an enum, unique. */
  readonly values?: NonEmpty<string>;
  /** Content types of assets, unique and not empty. */
  readonly content_types?: NonEmpty<string>;
  /** Smallest value. */
  readonly minimum?: number;
  /** Largest value. */
  readonly maximum?: number;
  /** Greater than 0. */
  readonly step?: number;
  /** Whether text may have several lines. */
  readonly multiline?: boolean;
  /** Whether the value must not be shown. */
  readonly secret?: boolean;
  /** Whether it is hidden by default. */
  readonly advanced?: boolean;
  /** Bounds of the value. */
  readonly value_schema?: ValueSchema;
}

/** An output port. */
export interface Output {
  /** An id, as for inputs. */
  readonly name: string;
  /** Type of the value. */
  readonly type: PortType;
  /** Whether the output may be missing. */
  readonly optional: boolean;
  /** Describes it for people. */
  readonly description?: string;
  /** MIME types that it may have. */
  readonly content_types?: NonEmpty<string>;
}

/** What a node requires of the machine; null requires nothing. */
export interface Requirements {
  /** Models, unique and not empty. */
  readonly model_ids: readonly string[];
  /** Accelerators, unique. */
  readonly accelerator_backends: readonly ("metal" | "cuda" | "rocm" | "cpu")[];
  /** An integer number of bytes, at least 0. */
  readonly minimum_accelerator_memory_bytes?: number | null;
  /** An integer number of bytes, at least 0. */
  readonly minimum_system_memory_bytes?: number | null;
  /** An integer number of bytes, at least 0. */
  readonly minimum_disk_bytes?: number | null;
  /** An integer of at least 1. */
  readonly minimum_cpu_cores?: number | null;
  /** Whether it needs the network. */
  readonly network_access?: boolean | null;
}

/** How a node behaves. */
export interface Traits {
  /** Whether the same inputs give the same outputs. */
  readonly deterministic: boolean;
  /** Whether results may be cached. */
  readonly cacheable: boolean;
  /** What it changes outside. */
  readonly side_effects: "none" | "local" | "external";
  /** Whether it reports progress. */
  readonly supports_progress: boolean;
  /** Whether it sends previews. */
  readonly supports_previews: boolean;
}

/** How a node is presented. */
export interface Presentation {
  /** How it is drawn. */
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
  /** Describes it for people. */
  readonly description: string;
  /** Group in menus. */
  readonly category: string;
  /** Inputs of the node. */
  readonly inputs: readonly Input[];
  /** Outputs of the node. */
  readonly outputs: NonEmpty<Output>;
  /** What it needs to run. */
  readonly requirements: Requirements;
  /** How it behaves. */
  readonly traits: Traits;
  /** How it is shown. */
  readonly presentation?: Presentation;
}

/** The declaration of a plugin provider: itself and its kinds of graph nodes. */
export interface Manifest {
  /** Version of the contract. */
  readonly contract_version: "svc/plugin-graph-provider.v1";
  /** `svc-`, then lower-case letters, digits and hyphens. */
  readonly provider_id: `svc-${string}`;
  /** Three numbers separated by dots, optionally followed by a suffix after a dot or a hyphen. */
  readonly provider_version: string;
  /** The graph nodes. */
  readonly nodes: NonEmpty<Node>;
}
