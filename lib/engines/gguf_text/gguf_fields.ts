/**
 * Single values of GGUF metadata.
 *
 * @module
 */
import type { GgufMetadata } from "./gguf_metadata.ts";

/** A string, or undefined when it is missing. */
export function textField(metadata: GgufMetadata, name: string): string | undefined {
  const value = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

/** A finite number, or undefined when it is missing. */
export function numberField(metadata: GgufMetadata, name: string): number | undefined {
  const value = metadata.get(name);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A list of strings, or undefined when it is missing. */
export function textsField(metadata: GgufMetadata, name: string): readonly string[] | undefined {
  const value = metadata.get(name);
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** A list of numbers, or undefined when it is missing. */
export function numbersField(metadata: GgufMetadata, name: string): readonly number[] | undefined {
  const value = metadata.get(name);
  return Array.isArray(value) && value.every((item) => typeof item === "number") ? value : undefined;
}
