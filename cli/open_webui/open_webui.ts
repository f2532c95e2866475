import { quickstart } from "./quickstart.ts";
import { QUICKSTART_HELP, readQuickstartFlags } from "./quickstart_flags.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { outliveReaders, print } from "../../lib/platform/processes/run_main.ts";
import { abortOnShutdown } from "../../lib/platform/processes/shutdown.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { thisTerminal } from "../../lib/platform/terminal/terminal.ts";
import { runCommand } from "../run_command.ts";

/** `svc open-webui`. */
export function openWebui(args: readonly string[]): Promise<number> {
  const help = "Open WebUI in front of the model API server";
  const commands = { quickstart: { help: "start the server and Open WebUI", run: runQuickstart } };
  return runCommand({ name: "svc open-webui", help, commands, version: VERSION, print }, args);
}

async function runQuickstart(args: readonly string[]): Promise<number> {
  const { env } = thisPlatform();
  const options = readQuickstartFlags(args, env);
  if (options === undefined) {
    print(QUICKSTART_HELP);
    return 0;
  }
  if (options.output === "run") outliveReaders();
  const { err } = thisTerminal();
  return await quickstart(options, {
    print,
    say: (sentence) => err(`svc: ${sentence}`),
    env,
    signal: abortOnShutdown(),
  });
}
