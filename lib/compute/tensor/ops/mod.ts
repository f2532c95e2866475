/**
 * The operators of graphs: functions from values to a value.
 *
 * @module
 */
export * from "./attention.ts";
export * from "./conv.ts";
export * from "./elementwise.ts";
export * from "./layout.ts";
export * from "./matmul.ts";
export * from "./norm.ts";
