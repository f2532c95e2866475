/**
 * The two forms that a model of the catalog may have: ONNX for ONNX Runtime, GGUF for llama.cpp.
 *
 * @module
 */
import type { CatalogModel } from "./models/catalog_model.ts";

/** What files a model has. */
export type ModelForm = "onnx" | "gguf";

/** What decides which form is the faster one. */
export interface FormMachine {
  /** The device that llama.cpp takes, such as `cpu` or `metal`; undefined where it is not installed. */
  readonly llama: string | undefined;
  /** Whether the processor multiplies matrices in units of their own (AMX), which ONNX Runtime does not use for 4 bits. */
  readonly matrixUnits: boolean;
}

/** A form, and why. */
export interface ChosenForm {
  readonly form: ModelForm;
  readonly reason: string;
}

/**
 * The faster form on a machine. With matrix units llama.cpp decodes 1.5 times and prefills 2.5 times as fast as ONNX
 * Runtime; with AVX-512 alone a model of 4 bits prefills faster on ONNX Runtime, which takes all cores.
 */
export function chooseForm({ llama, matrixUnits }: FormMachine): ChosenForm {
  if (llama === undefined) return { form: "onnx", reason: "llama.cpp is not installed" };
  if (llama !== "cpu") return { form: "gguf", reason: `llama.cpp runs on ${llama} here` };
  return matrixUnits
    ? { form: "gguf", reason: "llama.cpp uses the matrix units of this processor" }
    : { form: "onnx", reason: "this processor has no matrix units for llama.cpp" };
}

/** The form of an entry's own files; undefined where no engine reads them. */
export function formOf({ engine }: Pick<CatalogModel, "engine">): ModelForm | undefined {
  if (engine === undefined) return undefined;
  return engine.startsWith("gguf-") ? "gguf" : "onnx";
}

/** An entry with the files of a form; undefined where it has none of that form. */
export function inForm(entry: CatalogModel, form: ModelForm): CatalogModel | undefined {
  if (formOf(entry) === form) return entry;
  const { otherForm, bytes: _, ...rest } = entry;
  return otherForm && formOf(otherForm) === form ? { ...rest, ...otherForm } : undefined;
}
