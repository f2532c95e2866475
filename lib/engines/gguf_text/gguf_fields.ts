/**
 * Single values of GGUF metadata.
 *
 * @module
 */
import type { GgufMetadata } from "./gguf_metadata.ts";

/** A text, or undefined when there is none of this name. */
export function textField(metadata: GgufMetadata, name: string): string | undefined {
  const value = metadata.get(name);
  return typeof value === "string" ? value : undefined;
}

/** A finite number, or undefined when there is none of this name. */
export function numberField(metadata: GgufMetadata, name: string): number | undefined {
  const value = metadata.get(name);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Texts, or undefined when there is no list of texts of this name. */
export function textsField(metadata: GgufMetadata, name: string): readonly string[] | undefined {
  const value = metadata.get(name);
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}

/** Numbers, or undefined when there is no list of numbers of this name. */
export function numbersField(metadata: GgufMetadata, name: string): readonly number[] | undefined {
  const value = metadata.get(name);
  return Array.isArray(value) && value.every((item) => typeof item === "number") ? value : undefined;
}
