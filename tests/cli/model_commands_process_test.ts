import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withApiProcess } from "../support/api_process.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";

test("svc chat runs a model in a folder without a server, and says what is missing", () =>
  withFolder(async (home) => {
    await installTinyModels(home, ["tiny-chat"]);
    const folder = join(home, "sources", "tiny-chat");
    const [piped, unknown] = await Promise.all([
      runSvc(home, ["chat", folder, "--json"], { stdin: "emoji, please" }),
      runSvc(home, ["chat", "none", "hi"]),
    ]);
    assert.deepEqual([piped.status, piped.stderr], [0, ""]);
    const { content, usage, finish_reason: reason } = JSON.parse(piped.stdout);
    assert.match(content, /^Of course 😀: 你好/);
    assert.ok(reason === "stop" && usage.prompt_tokens > 0);
    assert.deepEqual([unknown.status, unknown.stdout], [2, ""]);
    assert.match(unknown.stderr, /^svc: Cannot serve none: .*see svc model list\n$/);
  }));

test("svc chat and svc status talk to a server that runs", () =>
  withApiProcess({ models: ["tiny-chat"], args: ["--api-key=k"] }, async ({ home, url }) => {
    const [chat, report] = await Promise.all([
      runSvc(home, ["chat", "tiny-chat", "hi", `--url=${url}`, "--api-key=k"]),
      runSvc(home, ["status", `--port=${new URL(url).port}`, "--json", "--api-key=k"]),
    ]);
    assert.deepEqual([chat.status, chat.stdout], [0, "Hello! I am a tiny model, and I say what my script says.\n"]);
    const { server, installedModels, modelStore } = JSON.parse(report.stdout);
    assert.deepEqual([server.health, server.loadedModels], ["up", ["tiny-chat"]]);
    const [{ id, category }] = installedModels;
    assert.deepEqual([installedModels.length, id, category], [1, "tiny-chat", "chat.completions"]);
    const path = join(home, "models");
    assert.deepEqual(modelStore, { path, source: "SVC_HOME", configuredPath: home, isFallbackToDefault: false });
  }));

test("svc doctor reports each capability, with a remedy if it is missing, and leaves no ONNX Runtime log", () =>
  withFolder(async (home) => {
    const env = { HOME: home, XDG_CACHE_HOME: "", TMPDIR: home, ORT_DISABLE_TELEMETRY: undefined };
    const { status, stdout } = await runSvc(home, ["doctor", "--json"], { env });
    const { ok, capabilities } = JSON.parse(stdout) as {
      ok: boolean;
      capabilities: { name: string; ok: boolean; detail?: string; reason?: string; remedy?: string }[];
    };
    assert.deepEqual([ok, status], [true, 0]);
    const names = capabilities.map(({ name }) => name);
    for (
      const name of ["runtime", "model store", "onnxruntime-node", "node-llama-cpp", "GPU for worlds", "memory guard"]
    ) {
      assert.ok(names.includes(name), `${name} is missing in ${names.join()}`);
    }
    for (const { name, ok, detail, reason, remedy } of capabilities) {
      assert.ok(ok ? detail : reason && remedy, name);
    }
    const left = readdirSync(home, { recursive: true, encoding: "utf8" });
    assert.deepEqual(left.filter((name) => /microsoft|mat-debug/i.test(name)), []);
  }));
