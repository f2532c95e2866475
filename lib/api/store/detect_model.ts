/**
 * Detects what a folder of files is, from the files alone.
 *
 * @module
 */
import type { ModelFiles } from "../../engines/files/model_files.ts";
import type { ModelProfile } from "../../engines/files/model_profile.ts";
import type { ModelTask } from "./installed_model.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Reads the profile of one kind of model; undefined for files of another kind. */
export type ProfileReader = (files: ModelFiles) => Promise<ModelProfile | undefined>;

/** A model as its files describe it. */
export interface DetectedModel {
  readonly task: ModelTask;
  /** Undefined for a task that no engine serves. */
  readonly profile: ModelProfile | undefined;
}

const taskOfKind: Readonly<Record<ModelProfile["kind"], ModelTask>> = {
  chat: "chat.completions",
  embedding: "embeddings",
  rerank: "rerank",
};

/**
 * Tries the readers in order.
 *
 * @param task What the user says it is; undefined to find out.
 * @param what The folder or repository, for the error sentence.
 * @throws {SvcError} `unsuitable_files` when the files are of no kind that an engine serves, or of another task.
 * @throws what a reader throws about files of its kind that are broken.
 */
export async function detectModel(
  files: ModelFiles,
  task: ModelTask | undefined,
  readers: readonly ProfileReader[],
  what: string,
): Promise<DetectedModel> {
  const served = Object.values(taskOfKind);
  if (task !== undefined && !served.includes(task)) return { task, profile: undefined };
  let found: ModelTask | undefined;
  for (const read of readers) {
    const profile = await read(files);
    if (!profile) continue;
    found = taskOfKind[profile.kind];
    if (task === undefined || task === found) return { task: found, profile };
  }
  const problem = found === undefined
    ? `its files are not a model for ${task ?? served.join(", ")}`
    : `its files are a model for ${found}, not for ${task}`;
  const expected = found === undefined
    ? "expected a chat, embedding or rerank model in Hugging Face layout with ONNX weights, or a GGUF chat model"
    : "omit --task";
  throw new SvcError("unsuitable_files", `Cannot use ${what}: ${problem}, ${expected}`);
}
