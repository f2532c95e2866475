/**
 * What the catalog says of a model.
 *
 * @module
 */
import type { EngineId } from "../../../engines/contract/engine_ids.ts";
import type { ModelTask } from "../installed_model.ts";

/** A model of the catalog. */
export interface CatalogModel {
  readonly id: string;
  readonly task: ModelTask;
  /** Repository of the hub, such as `onnx-community/Qwen3-0.6B-ONNX`. */
  readonly repository: string;
  /** Branch, tag or commit; the record of the installed model has the commit. */
  readonly revision: string;
  /** Such as `q4`; undefined for a repository with one set of weights. */
  readonly quantization?: string;
  /** Undefined where no engine of this version serves it. */
  readonly engine?: EngineId;
  /** SPDX identifier. */
  readonly license: string;
  /** Maximum number of tokens of prompt and answer together, or of a text. */
  readonly context?: number;
  /** What it can do besides answering texts; of chat models only. */
  readonly abilities?: readonly ("tools" | "reasoning" | "images")[];
  /** Approximate download size. */
  readonly bytes?: number;
  /** A torch checkpoint of the repository, the only file that is taken: it becomes `model.safetensors`. */
  readonly checkpoint?: string;
  /** The same model for another engine. */
  readonly otherForm?: OtherForm;
  /** What it is for, in one line. */
  readonly about: string;
}

/** Where the files of a model's other form are: GGUF for llama.cpp where its own are ONNX, or ONNX where they are GGUF. */
export interface OtherForm extends Pick<CatalogModel, "repository" | "revision" | "quantization" | "bytes"> {
  readonly engine: EngineId;
}
