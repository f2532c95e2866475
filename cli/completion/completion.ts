import { print } from "../../lib/platform/processes/run_main.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { flagsHelp, type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { type Command, runCommand } from "../run_command.ts";
import { commandTree } from "./command_tree.ts";
import { type Shell, shellScript } from "./shell_scripts.ts";

const FLAGS = { help: { kind: "boolean", help: "show this help" } } as const satisfies FlagTable;

/** How a shell is set up to use its script. */
const USES: Readonly<Record<Shell, string>> = {
  bash: "echo 'eval \"$(svc completion bash)\"' >> ~/.bashrc",
  zsh: "echo 'source <(svc completion zsh)' >> ~/.zshrc    (after compinit)",
  fish: "svc completion fish > ~/.config/fish/completions/svc.fish",
  powershell: "svc completion powershell | Out-String | Invoke-Expression    (in $PROFILE)",
};

/**
 * `svc completion`: prints the script with which a shell completes `svc`.
 *
 * @param commands All commands of `svc`.
 */
export function completion(args: readonly string[], commands: Readonly<Record<string, Command>>): Promise<number> {
  const shell = (name: Shell, title: string): Command => ({
    help: `print the script for ${title}`,
    run: async (rest) => {
      if (readFlags(`svc completion ${name}`, rest, FLAGS).help) {
        print(`Print the script with which ${title} completes svc\n\nUse: ${USES[name]}\n\n${flagsHelp(FLAGS)}\n`);
      } else print(shellScript(name, await commandTree(commands)));
      return 0;
    },
  });
  return runCommand({
    name: "svc completion",
    help: "Completion of commands, flags, values and installed models in a shell",
    version: VERSION,
    print,
    commands: {
      bash: shell("bash", "bash"),
      zsh: shell("zsh", "zsh"),
      fish: shell("fish", "fish"),
      powershell: shell("powershell", "PowerShell"),
      ids: { help: "print the ids and aliases of installed models, as the scripts ask for them", run: printIds },
    },
  }, args);
}

async function printIds(args: readonly string[]): Promise<number> {
  if (readFlags("svc completion ids", args, FLAGS).help) {
    print(`Print the ids and aliases of installed models, one per line\n\n${flagsHelp(FLAGS)}\n`);
    return 0;
  }
  const store = openModelStore();
  const models = await store.list();
  const settings = await store.settings();
  for (const { id } of models) print([id, settings.get(id)?.alias].flatMap((name) => name ?? []).join("\n") + "\n");
  return 0;
}
