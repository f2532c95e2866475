import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runModel } from "../../cli/model/model.ts";
import type { ModelHost } from "../../cli/model/model_host.ts";
import { transferLines } from "../../cli/model/model_progress.ts";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { type ModelStore, openModelStore } from "../../lib/store/model_store.ts";
import { withFolder } from "./temporary_folder.ts";

/** A machine with a store of models, in which `svc model` is run. */
export interface ModelMachine {
  /** A folder for the user's own files; the store is beside it. */
  readonly home: string;
  readonly store: ModelStore;
  readonly out: string[];
  readonly err: string[];
  readonly environment: Record<string, string>;
  /** What a person answers; undefined when nobody is there. */
  answer: boolean | undefined;
  /** The device of llama.cpp; undefined where it is not installed. */
  llama: string | undefined;
  /** Presses Ctrl+C. */
  readonly interrupt: AbortController;
  /** Runs `svc model` with these words: its status, or the error that would be shown. */
  run(...args: string[]): Promise<number>;
}

/** Runs work on a machine whose store is empty. */
export async function withModelMachine(work: (machine: ModelMachine) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const store = openModelStore(join(folder, "models"));
    const out: string[] = [];
    const err: string[] = [];
    const environment: Record<string, string> = {};
    const interrupt = new AbortController();
    const home = join(folder, "home");
    mkdirSync(home);
    const machine: ModelMachine = {
      ...{ home, store, out, err, environment, interrupt, answer: undefined },
      llama: undefined,
      run: (...args) => runModel(args, host),
    };
    const host: ModelHost = {
      terminal: {
        out: (line) => out.push(line),
        err: (line) => err.push(line),
        environment: (name) => environment[name],
      },
      store,
      print: (text) => out.push(text),
      confirm: () => Promise.resolve(machine.answer),
      signal: interrupt.signal,
      wait: () => Promise.resolve(),
      llamaDevice: () => Promise.resolve(machine.llama),
      progress: () => transferLines(() => {}),
    };
    await work(machine);
  });
}

/** Writes files by their paths below a folder. */
export function writeModelFiles(folder: string, files: Readonly<Record<string, Uint8Array | string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}

/** Files of a tiny chat model with weights in q4 and in fp32. */
export function tinyChatFiles(): Readonly<Record<string, Uint8Array>> {
  return { ...onnxChatModel({ kind: "gqa", weights: "f32" }), ...onnxChatModel({ kind: "gqa", weights: "q4" }) };
}
