import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { withApiProcess } from "../support/api_process.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";

const GREETING = "Hello! I am a tiny model, and I say what my script says.";

test("svc chat runs an installed model by itself, and one in a folder", () =>
  withFolder(async (home) => {
    await installTinyModels(home, ["tiny-chat"]);
    const asked = await runSvc(home, ["chat", "tiny-chat", "hi"]);
    assert.deepEqual(asked, { status: 0, stdout: `${GREETING}\n`, stderr: "" });
    const folder = join(home, "sources", "tiny-chat");
    const piped = await runSvc(home, ["chat", folder, "--json"], { stdin: "emoji, please" });
    const { content, usage, finish_reason: reason } = JSON.parse(piped.stdout);
    assert.match(content, /^Of course 😀: 你好/);
    assert.deepEqual([reason, usage.prompt_tokens > 0, piped.status], ["stop", true, 0]);
    const unknown = await runSvc(home, ["chat", "none", "hi"]);
    assert.deepEqual([unknown.status, unknown.stdout], [2, ""]);
    assert.match(unknown.stderr, /^svc: Cannot serve none: .*svc model pull none.*\n$/);
  }));

test("svc chat and svc status talk to a server that runs", () =>
  withApiProcess({ models: ["tiny-chat"], args: ["--api-key=k"] }, async ({ home, url }) => {
    const chat = await runSvc(home, ["chat", "tiny-chat", "hi", `--url=${url}`, "--api-key=k"]);
    assert.deepEqual([chat.status, chat.stdout], [0, `${GREETING}\n`]);
    const refused = await runSvc(home, ["chat", "tiny-chat", "hi", `--url=${url}`]);
    assert.deepEqual([refused.status, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /^svc: Cannot accept the request: .*\n$/);

    const port = `--port=${new URL(url).port}`;
    const open = JSON.parse((await runSvc(home, ["status", port, "--json", "--api-key=k"])).stdout);
    assert.equal(open.server.health, "up");
    assert.deepEqual(open.server.loadedModels, ["tiny-chat"]);
    assert.deepEqual(open.installedModels.map(({ id, category }: Record<string, string>) => [id, category]), [
      ["tiny-chat", "chat.completions"],
    ]);
    assert.deepEqual(open.modelStore, {
      path: join(home, "models"),
      source: "SVC_HOME",
      configuredPath: home,
      isFallbackToDefault: false,
    });
    const closed = JSON.parse((await runSvc(home, ["status", port, "--json"])).stdout);
    assert.equal(closed.server.health, "up");
    assert.match(closed.server.modelsDetail, /needs its key/);
  }));

test("svc doctor tells each capability, with a remedy where it is missing", () =>
  withFolder(async (home) => {
    const { status, stdout } = await runSvc(home, ["doctor", "--json"]);
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
  }));
