/**
 * The SDK's door to models that chat.
 *
 * @module
 */
import { chatDefaults, chatLimits } from "../../api/service/chat_limits.ts";
import { chatImageFiles } from "./chat_image_files.ts";
import { chatRandom } from "./chat_random.ts";
import { openLocalModel } from "../model_store/local_model.ts";
import { openModelStore } from "../model_store/model_store.ts";
import { spawnEngine } from "./spawn_engine.ts";
import { systemClock } from "../../platform/machine/system_clock.ts";
import { findUserPath } from "../../platform/files/user_files.ts";
import type { InstalledModel, RuntimeSettings } from "../../api/store/installed_model.ts";
import { resolveModel } from "../../api/store/resolve_model.ts";
import { Chat } from "./chat.ts";

/** Options of {@linkcode openChat}. */
export interface OpenChatOptions {
  /** Such as `cpu` or `cuda`; the best that works when omitted. */
  readonly device?: string;
  /** Threads of the CPU; as many as suit this machine when omitted. */
  readonly threads?: number;
  /** Tokens that prompt and answer can have together; 32,768 when omitted, and never more than the model can. */
  readonly contextSize?: number;
  /** Chats that are answered at a time; 1 when omitted. */
  readonly concurrency?: number;
  /** Path of an adapter in GGUF, for models in GGUF. */
  readonly lora?: string;
  /** Hears of the load, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Gives the load up. */
  readonly signal?: AbortSignal;
}

const UNSET: RuntimeSettings = { pinned: false };

/**
 * Opens a model that chats, in a process of its own and without a server.
 *
 * @param model Id or alias of an installed model, or the path of a folder in Hugging Face layout or of a GGUF file.
 * @throws {SvcError} when the files of a path are of no model that can be served.
 * @throws {Error} when there is no such model, it does not chat, or it cannot be opened.
 *
 * @example
 * ```ts ignore
 * import { openChat } from "@svc/sdk";
 *
 * await using chat = await openChat("qwen3-0.6b");
 * const { choices } = await chat.complete({ messages: [{ role: "user", content: "What is a corridor?" }] });
 * console.log(choices[0].message.content);
 * ```
 */
export async function openChat(model: string, options: OpenChatOptions = {}): Promise<Chat> {
  const { model: found, settings } = await findModel(model);
  const { id, profile } = found;
  if (profile?.kind !== "chat") {
    throw new Error(`Cannot chat with ${id}: it is for ${found.task}, expected a model that chats`);
  }
  const { context, presetMaxTokens } = chatLimits(profile, settings, options.contextSize ?? 32_768);
  const lora = options.lora === undefined ? undefined : await findUserPath(options.lora);
  if (options.lora !== undefined && lora === undefined) {
    throw new Error(`Cannot use the adapter ${options.lora}: there is no such file, expected an adapter in GGUF`);
  }
  const engine = await spawnEngine(found, {
    device: options.device,
    threads: options.threads,
    context,
    concurrency: options.concurrency ?? 1,
    kvCacheMode: settings.kvCacheMode ?? "default",
    lora,
    log: () => {},
    ...options.onProgress === undefined ? {} : { onProgress: options.onProgress },
  }, options.signal ?? new AbortController().signal);
  if (engine.kind !== "chat") {
    await engine.stop();
    throw new Error(`Cannot chat with ${id}: its files have changed since it was added, add it anew`);
  }
  return new Chat({
    engine,
    id,
    limits: { context, presetMaxTokens, defaults: chatDefaults(engine.profile, settings) },
    // A program may read what it may: it is not a client from elsewhere.
    readImage: chatImageFiles({ check: (path) => Promise.resolve(path) }),
    now: () => systemClock.now(),
    newId: () => chatRandom.id(),
  });
}

async function findModel(
  name: string,
): Promise<{ readonly model: InstalledModel; readonly settings: RuntimeSettings }> {
  const store = openModelStore();
  const all = await store.settings();
  const { id, model } = resolveModel(await store.list(), all, name);
  if (model !== undefined) return { model, settings: all.get(id) ?? UNSET };
  if (await findUserPath(name) !== undefined) return { model: await openLocalModel(name), settings: UNSET };
  throw new Error(
    `Cannot open ${name}: no model of that name is installed and there is no such file, run svc model pull ${name}`,
  );
}
