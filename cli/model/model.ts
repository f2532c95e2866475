import { confirm, thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { diskReason } from "../../lib/platform/files/disk_reason.ts";
import { commandLineMessage, UsageError } from "../../lib/platform/terminal/flags.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { waitFor } from "../../lib/platform/locks/locked.ts";
import type { ModelHost } from "./model_host.ts";
import { runCommand } from "../run_command.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";

/** `svc model`: manages the models on this machine. */
export function model(args: readonly string[]): Promise<number> {
  const terminal = thisTerminal();
  return runModel(args, {
    terminal,
    store: openModelStore(),
    print,
    confirm,
    signal: abortOnShutdown(),
    wait: waitFor,
    progress: async () => {
      const { transferBars, transferLines } = await import("./model_progress.ts");
      return terminal.interactive ? transferBars(() => performance.now()) : transferLines(terminal.err);
    },
  });
}

/** Errors in the arguments rather than on the machine. */
const usageCodes: readonly SvcError["code"][] = ["invalid_id", "invalid_settings", "alias_taken", "model_not_found"];

/** Runs the command in this machine's environment. */
export function runModel(args: readonly string[], host: ModelHost): Promise<number> {
  const command = (help: string, run: (args: readonly string[], host: ModelHost) => Promise<number>) => ({
    help,
    run: (args: readonly string[]) =>
      run(args, host).catch((error) => {
        if (error instanceof SvcError && usageCodes.includes(error.code)) {
          throw new UsageError(commandLineMessage(error));
        }
        const reason = diskReason(error);
        if (reason === undefined) throw error;
        throw new Error(`Cannot write to the store ${host.store.layout.folder}: ${reason}`, { cause: error });
      }),
  });
  return runCommand({
    name: "svc model",
    help: "Models on this machine",
    version: VERSION,
    print: host.print,
    commands: {
      // Each is loaded on demand: to add a model takes what reads its files, to pull one the client of the hub.
      add: command(
        "add a local folder or GGUF file",
        async (rest, host) => await (await import("./model_add.ts")).modelAdd(rest, host),
      ),
      pull: command(
        "pull a model from the hub",
        async (rest, host) => await (await import("./model_pull.ts")).modelPull(rest, host),
      ),
      convert: command(
        "convert published weights to safetensors",
        async (rest, host) => await (await import("./model_convert.ts")).modelConvert(rest, host),
      ),
      list: command(
        "list installed models and models to pull",
        async (rest, host) => await (await import("./installed_models.ts")).modelList(rest, host),
      ),
      search: command(
        "search the catalog and the hub",
        async (rest, host) => await (await import("./model_search.ts")).modelSearch(rest, host),
      ),
      show: command(
        "show all details of a model",
        async (rest, host) => await (await import("./installed_models.ts")).modelShow(rest, host),
      ),
      rm: command(
        "remove a model",
        async (rest, host) => await (await import("./installed_models.ts")).modelRm(rest, host),
      ),
      verify: command(
        "check the sizes and hashes of model files",
        async (rest, host) => await (await import("./installed_models.ts")).modelVerify(rest, host),
      ),
      runtime: command(
        "read or change runtime settings",
        async (rest, host) => await (await import("./model_runtime.ts")).modelRuntime(rest, host, VERSION),
      ),
    },
  }, args);
}
