/**
 * Opens local models in this process.
 *
 * @module
 */
import { chatImageFiles } from "./chat_image_files.ts";
import { Models } from "./models.ts";
import { type ModelApiSettings, openModelApi } from "./open_model_api.ts";

/** Options of {@linkcode openModels}. */
export interface OpenModelsOptions extends ModelApiSettings {
  /** Gives up the start. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the installed models: everything that the model API server has, without a server. Each model that is used runs
 * in a child process of its own.
 *
 * `model` names the one that answers chats which name none: an id, an alias, or the path of a folder in Hugging Face
 * layout or of a GGUF file. It is loaded before this resolves.
 *
 * @throws {UsageError} when the options contradict each other, or the model is not installed or not served.
 * @throws {PermitsRefusedError} when there is too little memory, a server runs models already (use it by HTTP, or set
 * `waitForServers`), or another process held the machine for too long.
 * @throws {SvcError} when the model cannot be loaded.
 *
 * @example
 * ```ts ignore
 * import { openModels } from "@svc/sdk";
 *
 * await using models = await openModels({ model: "qwen3-0.6b" });
 * const { choices } = await models.chat({ messages: [{ role: "user", content: "What is a corridor?" }] });
 * console.log(choices[0].message.content);
 * ```
 */
export async function openModels({ signal, ...options }: OpenModelsOptions = {}): Promise<Models> {
  const start = signal ?? new AbortController().signal;
  const opened = await openModelApi({ log: () => {}, waitForServers: false, ...options }, {
    label: "openModels()",
    // A program may read whatever it may: it is not a client from elsewhere.
    readImage: chatImageFiles({ check: (path) => Promise.resolve(path) }),
    checkPath: (path) => Promise.resolve(path),
  }, start);
  try {
    if (options.model !== undefined) await opened.preload(start);
    return new Models(opened);
  } catch (error) {
    await opened.close(AbortSignal.abort());
    throw error;
  }
}
