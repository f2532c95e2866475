/**
 * Public models that `svc model pull` knows by a short id.
 *
 * @module
 */
import type { EngineId } from "../engines/model_profile.ts";
import type { ModelTask } from "./installed_model.ts";

/** A model of the catalog. */
export interface CatalogModel {
  readonly id: string;
  readonly task: ModelTask;
  /** Of the hub, such as `onnx-community/Qwen3-0.6B-ONNX`. */
  readonly repository: string;
  /** Branch, tag or commit; the record of the installed model has the commit. */
  readonly revision: string;
  /** Such as `q4`; undefined for a repository with one set of weights. */
  readonly quantization?: string;
  /** Undefined where no engine of this version serves it. */
  readonly engine?: EngineId;
  /** SPDX identifier. */
  readonly license: string;
  /** Tokens that prompt and answer can have together, or that a text can have. */
  readonly context?: number;
  /** What it is good for, in a line. */
  readonly about: string;
}

/** The models, by task. */
export const CATALOG: readonly CatalogModel[] = [
  {
    id: "qwen3-0.6b",
    task: "chat.completions",
    repository: "onnx-community/Qwen3-0.6B-ONNX",
    revision: "main",
    quantization: "q4",
    engine: "onnx-text",
    license: "Apache-2.0",
    context: 40_960,
    about: "small chat model that thinks and calls tools",
  },
];
