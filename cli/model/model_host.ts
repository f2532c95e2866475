import type { ModelStore } from "../../lib/app/model_store/model_store.ts";
import type { Terminal } from "../../lib/platform/terminal/terminal.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { type ResolvedModel, resolveModel } from "../../lib/api/store/resolve_model.ts";
import type { InstalledModel } from "../../lib/api/store/installed_model.ts";
import type { TransferView } from "./model_progress.ts";

/** What surrounds the model commands; all of it can be replaced by a test. */
export interface ModelHost {
  readonly terminal: Pick<Terminal, "out" | "err" | "environment">;
  readonly store: ModelStore;
  /** Writes text to the output as it is. */
  readonly print: (text: string) => void;
  /** Asks a person; undefined when nobody is there. */
  readonly confirm: (question: string) => Promise<boolean | undefined>;
  /** Aborts when the command is to end. */
  readonly signal: AbortSignal;
  /** Passes time between two tries of a download. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** Shows files on their way. */
  readonly progress: () => TransferView;
}

/** @throws {UsageError} unless exactly one word is given. */
export function oneWord(command: string, words: readonly string[], name: string): string {
  const [word, ...others] = words;
  if (word !== undefined && others.length === 0) return word;
  throw new UsageError(`Cannot run ${command}: ${words.length} words are given, expected one ${name}`);
}

/** The model that a word of the command line means, by id or alias. */
export async function findModel(host: ModelHost, name: string): Promise<ResolvedModel> {
  return resolveModel(await host.store.list(), await host.store.settings(), name);
}

/** @throws {UsageError} when it is not installed. */
export async function findInstalled(host: ModelHost, verb: string, name: string): Promise<InstalledModel> {
  const { id, model } = await findModel(host, name);
  if (model) return model;
  const remedy = host.store.known.includes(id) ? `install it with svc model pull ${id}` : "see svc model list";
  throw new UsageError(`Cannot ${verb} ${JSON.stringify(name)}: no installed model is called so, ${remedy}`);
}
