/**
 * The two forms that a model of the catalog may have: ONNX for ONNX Runtime, GGUF for llama.cpp.
 *
 * @module
 */
import type { CatalogModel } from "./models/catalog_model.ts";

/** What files a model has. */
export type ModelForm = "onnx" | "gguf";

/** A form, and why. */
export interface ChosenForm {
  readonly form: ModelForm;
  readonly reason: string;
}

/**
 * The faster form: with a model of half a billion parameters in 4 bits llama.cpp decoded 1.5 to 1.7 times as fast as ONNX
 * Runtime on two processors, and prefilled 1.1 to 2.5 times as fast, with as many threads.
 *
 * @param llama The device that llama.cpp takes, such as `cpu` or `metal`; undefined where it is not installed.
 */
export function chooseForm(llama: string | undefined): ChosenForm {
  return llama === undefined
    ? { form: "onnx", reason: "llama.cpp, which is faster, is not installed (npm install node-llama-cpp)" }
    : { form: "gguf", reason: `llama.cpp is installed (${llama}) and faster than ONNX Runtime` };
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
