/**
 * The commands of the command line with their flags, as they describe themselves.
 *
 * @module
 */
import { DESCRIBE, type Flag, FlagsDescribed } from "../../lib/platform/terminal/flags.ts";
import { type Command, CommandsDescribed } from "../run_command.ts";

/** A flag, as a shell completes it. */
export interface ShellFlag {
  /** Such as `--output`. */
  readonly name: string;
  /** Such as `-o`. */
  readonly short: string | undefined;
  readonly help: string;
  /** What follows it: nothing, one of these words, an installed model, or anything, a file for one. */
  readonly value: "none" | readonly string[] | "model" | "any";
}

/** A command or a group of them. */
export interface ShellCommand {
  /** The words after `svc`, such as `world walk`. */
  readonly path: string;
  readonly help: string;
  /** The words that may follow: commands of a group, or choices such as the shells. */
  readonly words: readonly { readonly word: string; readonly help: string }[];
  readonly flags: readonly ShellFlag[];
  /** Whether words that follow are installed models. */
  readonly takesModels: boolean;
}

/** Commands whose first word is an installed model. */
const MODEL_COMMANDS: readonly string[] = [
  "chat",
  "run",
  "model show",
  "model rm",
  "model verify",
  "model runtime get",
  "model runtime set",
];

/** Flags that name an installed model. */
const MODEL_FLAGS: readonly string[] = ["model", "draft-model"];

/**
 * All commands below a group, the group itself first. A command that cannot describe itself, such as those of a fleet
 * where its package is not installed, has no flags.
 */
export async function commandTree(
  commands: Readonly<Record<string, Command>>,
  path = "",
  help = "",
): Promise<readonly ShellCommand[]> {
  const words = Object.entries(commands).map(([word, { help }]) => ({ word, help }));
  const below: ShellCommand[] = [];
  for (const [word, command] of Object.entries(commands)) {
    below.push(...await described(command, path === "" ? word : `${path} ${word}`));
  }
  return [{ path, help, words, flags: [], takesModels: false }, ...below];
}

async function described({ help, run }: Command, path: string): Promise<readonly ShellCommand[]> {
  const found = await run([DESCRIBE]).then(() => undefined, (thrown: unknown) => thrown);
  if (found instanceof CommandsDescribed) return await commandTree(found.commands, path, help);
  const flags = found instanceof FlagsDescribed
    ? Object.entries(found.flags).map((entry) => shellFlag(entry, path))
    : [];
  return [{ path, help, words: [], flags, takesModels: MODEL_COMMANDS.includes(path) }];
}

function shellFlag([name, flag]: readonly [string, Flag], path: string): ShellFlag {
  // The models of worlds are folders.
  const isModel = MODEL_FLAGS.includes(name) && flag.kind === "string" && flag.value !== "DIR" &&
    !path.startsWith("world");

  return {
    name: `--${name}`,
    short: "short" in flag && flag.short ? `-${flag.short}` : undefined,
    help: flag.help,
    value: flag.kind === "boolean" ? "none" : flag.kind === "choice" ? flag.choices : isModel ? "model" : "any",
  };
}
