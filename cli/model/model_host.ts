import type { ModelStore } from "../../lib/store/model_store.ts";
import type { Terminal } from "../../lib/platform/terminal/terminal.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { closestModel, type ResolvedModel, resolveModel } from "../../lib/store/catalog/resolve_model.ts";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import type { TransferView } from "./model_progress.ts";

/** The environment of the model commands; tests can replace all of it. */
export interface ModelHost {
  readonly terminal: Pick<Terminal, "out" | "err" | "environment"> & Partial<Pick<Terminal, "interactive">>;
  readonly store: ModelStore;
  /** Writes text to the output unchanged. */
  readonly print: (text: string) => void;
  /** Asks the user; undefined when the terminal is not interactive. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal;
  /** Waits between two attempts of a download. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** The device of llama.cpp, which decides between two forms of a model; by default that of this machine. */
  readonly llamaDevice?: (() => Promise<string | undefined>) | undefined;
  /** Shows the progress of file transfers. */
  readonly progress: () => TransferView | Promise<TransferView>;
}

/** @throws {UsageError} unless exactly one argument is given. */
export function oneWord(command: string, words: readonly string[], name: string): string {
  const [word, ...others] = words;
  if (word !== undefined && others.length === 0) return word;
  throw new UsageError(`Cannot run ${command}: ${words.length} arguments given, expected one ${name}`);
}

/** Finds the model that an argument names by id or alias. */
export async function findModel(host: ModelHost, name: string): Promise<ResolvedModel> {
  return resolveModel(await host.store.list(), await host.store.settings(), name);
}

/** @throws {UsageError} when it is not installed. */
export async function findInstalled(host: ModelHost, verb: string, name: string): Promise<InstalledModel> {
  const [models, settings] = [await host.store.list(), await host.store.settings()];
  const { id, model } = resolveModel(models, settings, name);
  if (model) return model;
  const meant = closestModel(models, settings, name, host.store.known);
  const remedy = host.store.known.includes(id)
    ? `install it with svc model pull ${id}`
    : meant
    ? `did you mean ${meant}?`
    : "see svc model list";
  throw new UsageError(`Cannot ${verb} ${JSON.stringify(name)}: no installed model has this name, ${remedy}`);
}

/** The error for a name that neither an installed model nor one of the catalog has. */
export async function unknownModel({ store }: ModelHost, name: string): Promise<UsageError> {
  const meant = closestModel(await store.list(), await store.settings(), name, store.known);
  const remedy = meant ? `did you mean ${meant}?` : "see svc model list";
  return new UsageError(`Cannot find the model ${JSON.stringify(name)}: ${remedy}`);
}
