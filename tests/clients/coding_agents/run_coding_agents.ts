/**
 * Coding agents in their non-interactive mode against a scripted model: each reads a file, edits it and stops. A step of
 * its own in scripts/test.mjs, since it needs what it installs; `SVC_TEST_CODING_AGENTS` is the folder with the packages of
 * npm. An agent has a home and a working folder of its own; its proxy refuses what is not on this machine.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { withFolder } from "../../support/temporary_folder.ts";
import { refuseOutside } from "./refuse_outside.ts";
import { DONE, type ScriptedCall, serveScript } from "./scripted_agent.ts";

const TASK = "Change the colour in settings.txt to blue.";
const BEFORE = 'colour = "red"\nsize = 3\n';
const AFTER = BEFORE.replace("red", "blue");

/** What an agent is started with. */
interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files of its home. */
  readonly home?: Readonly<Record<string, string>>;
}

/** An agent: how it is pointed at a server, and the calls of its own functions that do the task. */
interface Agent {
  readonly start: (url: string, model: string) => Start;
  readonly calls: (path: string) => readonly [read: ScriptedCall, edit: ScriptedCall];
}

const openCode = (npm: string): Agent => ({
  start: (url, model) => ({
    command: "opencode",
    args: ["run", "--model", `svc/${model}`, TASK],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    home: {
      ".config/opencode/opencode.json": JSON.stringify({
        provider: { svc: { npm, options: { baseURL: `${url}/v1`, apiKey: "none" }, models: { [model]: {} } } },
        share: "disabled",
      }),
    },
  }),
  calls: (filePath) => [
    { name: "read", arguments: { filePath } },
    { name: "edit", arguments: { filePath, oldString: "red", newString: "blue" } },
  ],
});

const agents: Readonly<Record<string, Agent>> = {
  "Claude Code, by Messages": {
    start: (url, model) => ({
      command: "claude",
      args: ["-p", TASK, "--model", model, "--permission-mode", "acceptEdits"],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_AUTH_TOKEN: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    }),
    calls: (file_path) => [
      { name: "Read", arguments: { file_path } },
      { name: "Edit", arguments: { file_path, old_string: "red", new_string: "blue" } },
    ],
  },
  "Codex, by Responses": {
    start: (url, model) => ({
      command: "codex",
      args: ["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", TASK],
      home: {
        ".codex/config.toml": `model = "${model}"
model_provider = "svc"
web_search = "disabled"
check_for_update_on_startup = false
model_providers.svc = { name = "svc", base_url = "${url}/v1", wire_api = "responses" }
`,
      },
    }),
    calls: () => [
      { name: "exec_command", arguments: { cmd: "cat settings.txt" } },
      { name: "exec_command", arguments: { cmd: "sed s/red/blue/ settings.txt > new && mv new settings.txt" } },
    ],
  },
  "opencode, by chats": openCode("@ai-sdk/openai-compatible"),
  "opencode, by Responses": openCode("@ai-sdk/openai"),
  "opencode, by Messages": openCode("@ai-sdk/anthropic"),
  "Qwen Code, by chats": {
    start: (url, model) => ({
      command: "qwen",
      args: ["--yolo", "--auth-type", "openai", "-p", TASK],
      env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none", OPENAI_MODEL: model },
      home: { ".qwen/settings.json": JSON.stringify({ privacy: { usageStatisticsEnabled: false } }) },
    }),
    calls: (file_path) => [
      { name: "read_file", arguments: { file_path } },
      { name: "edit", arguments: { file_path, old_string: "red", new_string: "blue" } },
    ],
  },
};

for (const [name, { start, calls }] of Object.entries(agents)) {
  test(`${name}: reads a file, edits it and stops`, () =>
    withFolder(async (folder) => {
      const packages = process.env.SVC_TEST_CODING_AGENTS;
      assert.ok(packages, "SVC_TEST_CODING_AGENTS is not set, run npm test -- agents");
      const [home, work] = ["home", "work"].map((name) => join(folder, name));
      const path = join(work, "settings.txt");
      write(path, BEFORE);
      const script = calls(path);
      const server = await serveScript(script);
      const outside = await refuseOutside();
      try {
        const { command, args, env, home: files = {} } = start(server.url, server.model);
        for (const [file, text] of Object.entries(files)) write(join(home, file), text);
        const variables = { PATH: process.env.PATH!, HOME: home, TMPDIR: folder, ...outside.env, ...env };
        const report = await run(join(packages, "node_modules", ".bin", command), args, work, variables);
        process.stdout.write(`${name} asked for ${[...outside.hosts].join(", ") || "nothing else"}\n`);
        assert.equal(readFileSync(path, "utf8"), AFTER, report);
        assert.ok(report.includes(DONE), report);
        const [, read, edited] = server.requests;
        assert.equal(server.requests.length, 3, report);
        assert.match(read.messages.at(-1)!.content as string, /colour = "red"/);
        const called = edited.messages.flatMap((one) => one.role === "assistant" ? one.toolCalls : []);
        assert.deepEqual(called.map(({ name }) => name), script.map(({ name }) => name));
      } finally {
        await outside.close();
        await server.close();
      }
    }));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Runs a program to its end, with no input; gives what it prints. */
async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let report = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => report += bytes);
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  assert.equal(code, 0, report);
  return report;
}
