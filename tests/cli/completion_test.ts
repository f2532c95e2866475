import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { programOf, ROOT } from "../support/program_arguments.ts";
import { runSvc } from "../support/run_svc.ts";
import { installTinyModels } from "../support/tiny_store.ts";

/** A home with one model, an `svc` on the path, and the scripts of the shells. */
let home: string;
let remove: () => Promise<void>;

const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
const missing = (shell: string): string | false =>
  spawnSync(shell, ["--version"]).status === 0 ? false : `${shell} is not installed`;

before(async () => {
  ({ path: home, remove } = await makeTemporaryDirectory());
  await installTinyModels(home, ["tiny-chat"]);
  const program = [process.execPath, ...programOf("cli/main.ts")].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(home, "svc"), `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(join(home, "svc"), 0o755);
  for (const shell of SHELLS) {
    const { status, stdout, stderr } = await runSvc(home, ["completion", shell]);
    assert.equal(status, 0, stderr);
    writeFileSync(join(home, `completion.${shell}`), stdout);
  }
});

after(() => remove());

/** Runs a script in a shell; resolves with what it printed. */
async function inShell(shell: string, args: readonly string[], script: string): Promise<string> {
  const env = { ...process.env, PATH: `${home}:${process.env.PATH}`, SVC_HOME: home, SVC_MODELS_DIR: "", HOME: home };
  const child = spawn(shell, [...args, "-c", script], { env, cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text) => stderr += text);
  const status = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(status, 0, stderr);
  return stdout;
}

/** A line as typed, and what completing its last word must offer and must not. */
const LINES: readonly (readonly [line: string, offered: readonly string[], not: readonly string[]])[] = [
  ["svc ", ["world", "chat", "completion"], ["walk", "--help"]],
  ["svc wor", ["world"], ["chat"]],
  ["svc world ", ["walk", "serve", "export"], ["chat"]],
  ["svc world walk --m", ["--moves"], ["--source", "walk"]],
  ["svc model runtime set --kv-cache-mode ", ["default", "polar2"], ["--pinned"]],
  ["svc world serve --device c", ["cpu", "cuda"], ["webgpu"]],
  ["svc chat ", ["tiny-chat"], ["world"]],
  ["svc run tiny", ["tiny-chat"], []],
  ["svc speak --model ", ["tiny-chat"], ["--url"]],
  ["svc api serve --model t", ["tiny-chat"], []],
  ["svc completion f", ["fish"], ["bash"]],
];

function check(line: string, found: readonly string[]): void {
  const [, offered, not] = LINES.find(([one]) => one === line)!;
  for (const word of offered) assert.ok(found.includes(word), `${line}| lacks ${word}: ${found.join(" ")}`);
  for (const word of not) assert.ok(!found.includes(word), `${line}| offers ${word}: ${found.join(" ")}`);
}

test(
  "svc completion bash completes commands, flags, choices and installed models in bash",
  { skip: missing("bash") },
  async () => {
    for (const [line] of LINES) {
      const words = line.split(" ");
      const script = `set -eu\n. '${home}/completion.bash'\nCOMP_WORDS=(${
        words.map((word) => `'${word}'`).join(" ")
      })\n` +
        `COMP_CWORD=${words.length - 1}\n_svc || true\nprintf '%s\\n' "\${COMPREPLY[@]-}"\n`;
      check(line, (await inShell("bash", ["--norc"], script)).trim().split("\n"));
    }
  },
);

test(
  "svc completion fish completes commands, flags, choices and installed models in fish",
  { skip: missing("fish") },
  async () => {
    for (const [line] of LINES) {
      const script = `source '${home}/completion.fish'\ncomplete -C '${line}'\n`;
      const lines = (await inShell("fish", ["--no-config"], script)).trim().split("\n");
      check(line, lines.map((one) => one.split("\t")[0]!));
    }
  },
);

test(
  "svc completion zsh completes commands, flags, choices and installed models in zsh",
  { skip: missing("zsh") },
  async () => {
    // What a completion offers is what it hands to compadd: a terminal would show it in columns.
    const collect = `
    autoload -Uz compinit && compinit -u -d '${home}/zcompdump'
    source '${home}/completion.zsh'
    compset() { case $1 in (-P) ;; esac }
    compadd() { local i; for ((i = 1; i <= $#; i++)); do [[ \${@[i]} == -- ]] && { print -rl -- "\${@[i+1,-1]}"; return }; done }
    _describe() { print -rl -- "\${(@)\${(@P)4}%%:*}" }
    _files() { print -- FILES }
  `;
    for (const [line] of LINES) {
      const words = line.split(" ").map((word) => `'${word}'`);
      const out = await inShell(
        "zsh",
        ["-f"],
        `${collect}\nwords=(${words.join(" ")}) CURRENT=${words.length}\n_svc\n`,
      );
      const cur = line.split(" ").at(-1)!;
      check(line, out.trim().split("\n").filter((word) => word.startsWith(cur)));
    }
  },
);

test("every command describes its flags to the shells", () => {
  const script = readFileSync(join(home, "completion.bash"), "utf8");
  const leaves = [
    "world plan",
    "world import",
    "cluster drain",
    "rollout fetch",
    "gateway serve",
    "open-webui quickstart",
  ];
  for (
    const path of [...leaves, "manifest validate", "model convert", "vision depth-video", "records list", "status"]
  ) {
    assert.match(script, new RegExp(`^\\s*"${path}"\\).*list="--.*--(?:help|broker)`, "m"), path);
  }
});

test("svc completion powershell has every command and the values of its flags", () => {
  const script = readFileSync(join(home, "completion.powershell"), "utf8");
  assert.match(script, /^ {4}'world walk' = @\('--source', '--output', '-o', /m);
  assert.match(script, /^ {4}'world serve --decoder' = @\('full', 'tiny'\)$/m);
  assert.match(script, /^ {4}'chat' = @\(.*'\*'\)$/m);
});
