/**
 * Finds models to pull, and pulls one by its name.
 *
 * @module
 */
import type { InstalledModel } from "./catalog/installed_model.ts";
import { chooseForm } from "./catalog/model_form.ts";
import { optionError } from "../errors/option_error.ts";
import { SvcError } from "../errors/svc_error.ts";
import { show } from "../errors/show.ts";
import { waitFor } from "../platform/locks/locked.ts";
import { vulkanDrivers } from "../platform/machine/vulkan_driver.ts";
import { thisTerminal } from "../platform/terminal/terminal.ts";
import { type Hub, type HubHit, openHub } from "./hub.ts";
import { type ModelStore, openModelStore } from "./model_store.ts";
import { downloadPlan, planPull, type PullPlan, pullTarget } from "./pull_model.ts";
import type { OnTransfer } from "./download_file.ts";
import { pullCatalogWorld } from "./worlds/pull_catalog_world.ts";
import { catalogWorld } from "./worlds/world_catalog.ts";
import { CATALOG, type CatalogModel } from "./catalog/catalog.ts";

/** The hub that models come from where `HF_ENDPOINT` names no other. */
const HUB = "https://huggingface.co";

/** Options of {@linkcode pullModel}. */
export interface PullModelOptions {
  /** Branch, tag or commit; the catalog's, else `main`, by default. */
  readonly revision?: string | undefined;
  /** Which of several weights, such as `q4`, `fp16` or `Q4_K_M`; what a world is converted to. */
  readonly quantization?: string | undefined;
  /**
   * Which form of a model of the catalog that has two. By default the faster one of what is installed: GGUF with
   * llama.cpp (node-llama-cpp), else ONNX; with `revision` or `quantization` the catalog's first.
   */
  readonly form?: "onnx" | "gguf" | undefined;
  /** The id to install it under; the catalog's, else the repository's name, by default. */
  readonly id?: string | undefined;
  /** Pulls an installed model again. */
  readonly force?: boolean | undefined;
  /** Agrees to a license that asks for it. */
  readonly acceptLicense?: boolean | undefined;
  /** Called on progress of a file, a few times a second, in bytes. */
  readonly onProgress?:
    | ((progress: { readonly path: string; readonly done: number; readonly total: number }) => void)
    | undefined;
  /** Cancels the download; what has arrived stays for the next time. */
  readonly signal?: AbortSignal | undefined;
}

/** A model that was pulled, or was installed already. */
export interface PulledModel {
  /** The name that requests give. */
  readonly id: string;
  /** What it is for, such as `chat.completions`; `world` for a published world. */
  readonly task: string;
  /** Folder of its files. */
  readonly folder: string;
  /** Size of its files. */
  readonly bytes: number;
}

/** What a pull works with. */
interface PullTools {
  /** Called once it is known what will be downloaded. */
  readonly onPlan?: (plan: PullPlan) => void;
  /** Called on progress of a file with the step that it is in. */
  readonly onTransfer?: OnTransfer;
  /** The device of llama.cpp, which decides between two forms of a model. */
  readonly llamaDevice?: (() => Promise<string | undefined>) | undefined;
  readonly store: ModelStore;
  readonly environment: (name: string) => string | undefined;
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Pulls a model from the hub into the store, where it appears whole or not at all: an id of the catalog such as
 * `qwen3-0.6b`, a repository with ONNX or GGUF weights such as `onnx-community/Qwen3-0.6B-ONNX`, or a published world
 * (`dreamx-5b`, `cosmos3-edge`), which is converted to the quantization `q8`, `q4`, `f16` or `f32`. An interrupted
 * download resumes; a model that is installed already is returned as it is. `HF_TOKEN` and `HF_ENDPOINT` are read from
 * the environment.
 *
 * @throws {SvcError} `model_not_found`, `license_not_accepted`, `repository_unavailable`, `unsuitable_files`,
 * `corrupt_download`, `checkpoint_refused`, `disk_full`.
 * @throws {RangeError} when a world is given a revision, an id, a form or an unknown quantization.
 *
 * @example
 * ```ts ignore
 * import { pullModel } from "@svc/sdk";
 * const { id, folder } = await pullModel("qwen3-0.6b", { onProgress: ({ done, total }) => console.log(done / total) });
 * ```
 */
export async function pullModel(
  name: string,
  options: PullModelOptions = {},
  tools: PullTools = { store: openModelStore(), environment: thisTerminal().environment, wait: waitFor },
): Promise<PulledModel> {
  const world = catalogWorld(name);
  if (!world) return await pullOther(name, options, tools);
  if (options.form !== undefined) throw new RangeError(`Cannot pull ${name} as ${options.form}: a world has one form`);
  const { environment, onTransfer = options.onProgress ?? (() => {}), llamaDevice: _, ...others } = tools;
  const { world: pulled } = await pullCatalogWorld(world, options, {
    ...others,
    onTransfer,
    onPlan: undefined,
    openHub: () => hubOf(environment),
    signal: options.signal ?? new AbortController().signal,
  });
  return { id: pulled.id, task: "world", folder: pulled.folder, bytes: pulled.bytes };
}

/** The hub that the environment names. */
export function hubOf(environment: (name: string) => string | undefined): Hub {
  return openHub({ url: environment("HF_ENDPOINT") ?? HUB, token: environment("HF_TOKEN") });
}

/** Pulls what is not a world; see {@linkcode pullModel}. */
export async function pullOther(name: string, options: PullModelOptions, tools: PullTools): Promise<InstalledModel> {
  const { force = false, acceptLicense = false, signal = new AbortController().signal } = options;
  const { store, environment, wait, onTransfer = options.onProgress ?? (() => {}) } = tools;
  const { id, entry } = pullTarget({ ...options, name });
  const installed = force ? undefined : (await store.list()).find((one) => one.id === id);
  if (installed) return installed;
  const hub = hubOf(environment);
  const own = options.form ?? options.revision ?? options.quantization;
  const chosen = entry?.otherForm === undefined || own !== undefined
    ? undefined
    : chooseForm(await (tools.llamaDevice ?? llamaDevice)());
  const plan = { ...await planPull(hub, { ...options, name, form: options.form ?? chosen?.form }, signal), chosen };
  tools.onPlan?.(plan);
  if (plan.asks && !acceptLicense) throw notAccepted(plan, hub.url);
  return await downloadPlan(store, hub, plan, { onTransfer, signal, wait }, force);
}

function notAccepted({ repository, license }: PullPlan, hubUrl: string): SvcError {
  const what = repository.gated
    ? "it is gated"
    : license
    ? `its license is ${show(license)}`
    : "its license is unknown";
  return optionError(
    (name) =>
      `Cannot pull ${repository.name}: ${what}, read the terms at ${hubUrl}/${repository.name} and try again with ` +
      name("acceptLicense"),
    (message) => new SvcError("license_not_accepted", message),
  );
}

/** What was found. */
export interface FoundToPull {
  readonly catalog: readonly Pick<CatalogModel, "id" | "about" | "repository">[];
  readonly hub: readonly HubHit[];
  /** Why the hub was not searched; absent where it was. */
  readonly hubError?: string;
}

/**
 * Models of the catalog and repositories of the hub with a word, or each of several, in their names or purposes. Without
 * a hub, those of the catalog.
 *
 * @throws {SvcError} `repository_unavailable` where the catalog has none either.
 */
export async function searchModels(
  word: string,
  environment: (name: string) => string | undefined,
  signal: AbortSignal,
): Promise<FoundToPull> {
  const wanted = word.toLowerCase().split(/\s+/);
  const catalog = CATALOG.filter(({ id, about, repository }) =>
    wanted.every((part) => [id, about, repository].some((text) => text.toLowerCase().includes(part)))
  ).map(({ id, about, repository }) => ({ id, about, repository }));
  const hub = openHub({ url: environment("HF_ENDPOINT") ?? HUB, token: environment("HF_TOKEN") });
  try {
    return { catalog, hub: await hub.search(word, signal) };
  } catch (error) {
    if (catalog.length === 0 || !(error instanceof SvcError) || error.code !== "repository_unavailable") throw error;
    return { catalog, hub: [], hubError: error.message };
  }
}

/** The device that llama.cpp takes here, such as `cpu` or `metal`; undefined where it is not installed or does not load. */
export async function llamaDevice(): Promise<string | undefined> {
  const { openLlama } = await import("../engines/gguf_text/open_llama.ts");
  // Trying a device that this machine lacks prints warnings.
  const missing = vulkanDrivers() === "gpu" ? [] : [{ device: "vulkan", reason: "no driver of a GPU is installed" }];
  return await openLlama("auto", missing).then(({ device }) => device, () => undefined);
}
