import { DESCRIBE, UsageError } from "../lib/platform/terminal/flags.ts";
import { closestWord } from "../lib/errors/closest_word.ts";

/** A command: its one-line help, and how to run it. */
export interface Command {
  readonly help: string;
  readonly run: (args: readonly string[]) => Promise<number>;
}

/** A word that precedes commands, such as `svc` or `svc world`. */
export interface CommandGroup {
  /** The command line so far. */
  readonly name: string;
  readonly help: string;
  readonly commands: Readonly<Record<string, Command>>;
  /** Commands that the program gives itself; no help lists them. */
  readonly hidden?: Readonly<Record<string, Command>>;
  readonly version: string;
  readonly print: (text: string) => void;
}

/** What a group throws that is asked for its commands, instead of running one. */
export class CommandsDescribed extends Error {
  readonly commands: Readonly<Record<string, Command>>;

  constructor(commands: Readonly<Record<string, Command>>) {
    super("Cannot run a command: only the commands were asked for");
    this.commands = commands;
  }
}

/**
 * Runs the command that the first argument names; handles `--help`, `--version` and an empty command line.
 *
 * @throws {UsageError} when there is no such command.
 */
export async function runCommand(group: CommandGroup, args: readonly string[]): Promise<number> {
  const [word, ...rest] = args;
  if (word === DESCRIBE) throw new CommandsDescribed(group.commands);
  if (word === undefined || ["--help", "-h", "help"].includes(word)) {
    group.print(groupHelp(group));
    return 0;
  }
  if (word === "--version") {
    group.print(`${group.version}\n`);
    return 0;
  }
  const command = [group.commands, group.hidden ?? {}].find((all) => Object.hasOwn(all, word))?.[word];
  if (command) return await command.run(rest);
  const meant = closestWord(word, Object.keys(group.commands));
  const remedy = meant ? `did you mean ${group.name} ${meant}?` : `see ${group.name} --help`;
  throw new UsageError(`Cannot run ${group.name} ${word}: unknown command, ${remedy}`);
}

function groupHelp({ name, help, commands }: CommandGroup): string {
  const width = Math.max(...Object.keys(commands).map((word) => word.length)) + 2;
  const rows = Object.entries(commands).map(([word, command]) => `  ${word.padEnd(width)}${command.help}`);
  return `${help}\n\nUsage: ${name} COMMAND\n\n${rows.join("\n")}\n\n${name} COMMAND --help shows more.\n`;
}
