/**
 * Scripts that complete commands, flags and their values in a shell. Ids of models are asked of the command itself, the
 * rest is in the script.
 *
 * @module
 */
import type { ShellCommand, ShellFlag } from "./command_tree.ts";

/** A shell that there is a script for. */
export type Shell = "bash" | "zsh" | "fish" | "powershell";

/** The script of a shell. */
export function shellScript(shell: Shell, tree: readonly ShellCommand[]): string {
  return { bash, zsh, fish, powershell }[shell](tree);
}

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The values of a choice, none of which has a blank or a quote in it. */
const listed = (value: ShellFlag["value"]): string => Array.isArray(value) ? value.join(" ") : "";

/** Whether words after a command are files, as far as is known. */
const takesFiles = ({ words, takesModels }: ShellCommand): boolean => words.length === 0 && !takesModels;

/** The patterns of a case statement that collect the words of a command: what was found so far, and the next word. */
function commandPatterns(tree: readonly ShellCommand[], quote: (text: string) => string): readonly string[] {
  return tree.flatMap(({ path, words }) => words.map(({ word }) => quote(`${path} ${word}`)));
}

/** Each flag that has a value, with the command that it is for. */
function valuePatterns(
  tree: readonly ShellCommand[],
): readonly { readonly before: readonly string[]; readonly flag: ShellFlag }[] {
  return tree.flatMap(({ path, flags }) =>
    flags.filter(({ value }) => value !== "none").map((flag) => ({
      before: [flag.name, ...flag.short ? [flag.short] : []].map((name) => `${path} ${name}`),
      flag,
    }))
  );
}

const flagWords = ({ flags }: ShellCommand): string[] =>
  flags.flatMap(({ name, short }) => [name, ...short === undefined ? [] : [short]]);

function bash(tree: readonly ShellCommand[]): string {
  const quoted = (text: string) => JSON.stringify(text);
  const values = valuePatterns(tree).map(({ before, flag: { value } }) => {
    const then = value === "any" ? "return" : value === "model" ? "ids=1" : `list=${quoted(listed(value))}`;
    return `    ${before.map(quoted).join("|")}) ${then} ;;`;
  });
  const words = tree.map((command) => {
    const list = [...command.words.map(({ word }) => word), ...flagWords(command)].join(" ");
    const others = takesFiles(command) ? " [[ $cur == -* ]] || return;" : "";
    const ids = command.takesModels ? " [[ $cur == -* ]] || ids=1;" : "";
    return `    ${quoted(command.path)})${others}${ids} list=${quoted(list)} ;;`;
  });
  return `# Completion of svc in bash: add  eval "$(svc completion bash)"  to ~/.bashrc
_svc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at="" list="" ids="" i
  COMPREPLY=()
  # Bash takes "=" for a word of its own.
  [[ $cur == "=" ]] && cur=""
  [[ $prev == "=" ]] && prev=\${COMP_WORDS[COMP_CWORD-2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${commandPatterns(tree, quoted).join("|")}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${values.join("\n")}
    *) case "$at" in
${words.join("\n")}
    esac ;;
  esac
  [[ -n $ids ]] && list="$list $("\${COMP_WORDS[0]}" completion ids 2>/dev/null)"
  COMPREPLY=($(compgen -W "$list" -- "$cur"))
}
complete -o default -F _svc svc
`;
}

function zsh(tree: readonly ShellCommand[]): string {
  const ids = '${(f)"$($words[1] completion ids 2>/dev/null)"}';
  const values = valuePatterns(tree).map(({ before, flag: { value } }) => {
    const then = value === "any" ? "_files" : value === "model" ? `compadd -- ${ids}` : `compadd -- ${listed(value)}`;
    return `    (${before.map(single).join("|")}) ${then}; return ;;`;
  });
  // A colon divides a word from its explanation.
  const entry = (word: string, help: string) => single(`${word.replaceAll(":", "\\:")}:${help}`);
  const words = tree.map((command) => {
    const commands = command.words.map(({ word, help }) => entry(word, help));
    const flags = command.flags.flatMap(({ name, short, help }) =>
      [name, ...short === undefined ? [] : [short]].map((word) => entry(word, help))
    );
    const others = command.takesModels
      ? ` [[ $cur == -* ]] || compadd -- ${ids};`
      : takesFiles(command)
      ? " [[ $cur == -* ]] || _files;"
      : "";
    return `    (${single(command.path)})${others} found=(${[...commands, ...flags].join(" ")}) ;;`;
  });
  return `#compdef svc
# Completion of svc in zsh: add  source <(svc completion zsh)  to ~/.zshrc, after compinit
_svc() {
  local at="" word cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}"
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
    (${commandPatterns(tree, single).join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ $cur == --*=* ]]; then
    prev="\${cur%%=*}"
    compset -P '*='
  fi
  case "$at $prev" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  _describe -t commands svc found
}
if [[ "\${funcstack[1]}" == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}

function fish(tree: readonly ShellCommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const ids = quoted("(svc completion ids 2>/dev/null)");
  const lines = tree.flatMap(({ path, words, flags, takesModels }) => {
    const at = `complete -c svc -n ${quoted(`__svc_at ${quoted(path)}`)}`;
    return [
      ...words.map(({ word, help }) => `${at} -f -a ${word} -d ${quoted(help)}`),
      ...takesModels ? [`${at} -f -a ${ids}`] : [],
      ...flags.map(({ name, short, help, value }) => {
        const takes = value === "none"
          ? ""
          : value === "any"
          ? " -r"
          : ` -x -a ${value === "model" ? ids : quoted(listed(value))}`;
        const letter = short === undefined ? "" : ` -s ${short.slice(1)}`;
        return `${at} -l ${name.slice(2)}${letter}${takes} -d ${quoted(help)}`;
      }),
    ];
  });
  return `# Completion of svc in fish: svc completion fish > ~/.config/fish/completions/svc.fish
function __svc_at
    set -l at ''
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${commandPatterns(tree, quoted).join(" ")}
                set at (string trim -- "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function powershell(tree: readonly ShellCommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]) => `@(${words.map(quoted).join(", ")})`;
  const values = valuePatterns(tree).flatMap(({ before, flag: { value } }) =>
    before.map((key) =>
      `    ${quoted(key)} = ${list(value === "any" ? [] : value === "model" ? ["*"] : value as readonly string[])}`
    )
  );
  const words = tree.map((command) => {
    const all = [...command.words.map(({ word }) => word), ...flagWords(command), ...command.takesModels ? ["*"] : []];
    return `    ${quoted(command.path)} = ${list(all)}`;
  });
  return `# Completion of svc in PowerShell: add  svc completion powershell | Out-String | Invoke-Expression  to $PROFILE
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  # What may follow a flag; "*" stands for the ids of models.
  $values = @{
${values.join("\n")}
  }
  # What may follow a command.
  $words = @{
${words.join("\n")}
  }
  $at = ''
  $previous = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete -ne '') { break }
    $previous = $element.ToString()
    $next = "$at $previous".Trim()
    if ($words.ContainsKey($next)) { $at = $next }
  }
  $found = if ($values.ContainsKey("$at $previous")) { $values["$at $previous"] } else { $words[$at] }
  if ($found -contains '*') { $found = @($found | Where-Object { $_ -ne '*' }) + @(svc completion ids 2>$null) }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
