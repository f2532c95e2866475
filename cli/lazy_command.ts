import { print } from "../lib/platform/processes/run_main.ts";
import { VERSION } from "../lib/platform/processes/version.ts";
import { type Command, runCommand } from "./run_command.ts";

/** A command whose code is loaded when it runs: the help of one does not wait for the code of all. */
export function command(help: string, load: () => Promise<Command["run"]>): Command {
  return { help, run: async (args) => await (await load())(args) };
}

/** Commands under a word. */
export function group(word: string, help: string, title: string, commands: Readonly<Record<string, Command>>): Command {
  const name = `svc ${word}`;
  return { help, run: (args) => runCommand({ name, help: title, commands, version: VERSION, print }, args) };
}
