import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { commandLineMessage } from "../../lib/platform/terminal/flags.ts";
import { addModel } from "../../lib/store/add_model.ts";
import type { Hub } from "../../lib/store/hub.ts";
import { downloadPlan } from "../../lib/store/pull_model.ts";
import { openModelHandler } from "../../lib/app/models/open_model_handler.ts";
import { checkSpace } from "../../lib/store/free_space.ts";
import { freeBytes } from "../../lib/platform/files/find_files.ts";
import { makeOwnFolder } from "../../lib/platform/files/work_folder.ts";
import { lockFolder } from "../../lib/platform/locks/lock_file.ts";
import { verifyModel } from "../../lib/store/verify_model.ts";
import { openStaging, removeModel } from "../../lib/store/staging.ts";
import { storeFolder } from "../../lib/store/store_layout.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { tinyChatFiles, writeModelFiles } from "../support/model_machine.ts";
import { safetensorsBytes } from "../support/safetensors_bytes.ts";
import { programArguments } from "../support/program_arguments.ts";
import { withFolder } from "../support/temporary_folder.ts";

const never = new AbortController().signal;
const files = tinyChatFiles();

/** A store with models of these ids. */
async function storeWith(folder: string, ...ids: string[]) {
  const source = join(folder, "source");
  writeModelFiles(source, files);
  const store = openModelStore(join(folder, "models"));
  for (const id of ids) await addModel(store, { path: source, id }, () => {}, never);
  return store;
}

test("storeFolder() is that of SVC_MODELS_DIR, else beside the program's other files", () => {
  const platform = { env: { SVC_HOME: "/home/me/svc" } as Record<string, string>, platform: "linux", home: "/home/me" };
  assert.equal(storeFolder(platform), "/home/me/svc/models");
  assert.equal(storeFolder({ ...platform, env: { SVC_MODELS_DIR: " /models " } }), "/models");
  assert.equal(storeFolder({ ...platform, env: { SVC_MODELS_DIR: " ", SVC_HOME: "/svc" } }), "/svc/models");
});

test("openModelStore() lists models by id, as they are now", async () => {
  await withFolder(async (folder) => {
    assert.deepEqual(await openModelStore(join(folder, "nothing")).list(), []);
    const store = await storeWith(folder, "b", "a");
    const beside = openModelStore(store.layout.folder);
    assert.deepEqual((await beside.list()).map(({ id }) => id), ["a", "b"]);
    await removeModel(store, "a");
    assert.deepEqual((await beside.list()).map(({ id }) => id), ["b"]);
    await addModel(store, { path: join(folder, "source"), id: "b2", quantization: "fp32" }, () => {}, never);
    const models = await beside.list();
    assert.deepEqual(models.map(({ id }) => id), ["b", "b2"]);
    assert.notEqual(models[0].bytes, models[1].bytes);
    assert.equal(models[0].profile?.engine, "onnx-text");
  });
});

test("openModelStore() reports broken records and lists the others", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder, "good", "bad");
    writeFileSync(join(store.layout.model("bad"), "svc-model.json"), "{");
    mkdirSync(join(store.layout.folder, "no-model"));
    writeFileSync(join(store.layout.folder, "a-file"), "");
    const { models, broken } = await store.contents();
    assert.deepEqual(models.map(({ id }) => id), ["good"]);
    assert.deepEqual(broken.map(({ id }) => id), ["bad"]);
    assert.match(broken[0].problem, /^Cannot use the model bad: its svc-model\.json is not JSON/);
    assert.deepEqual(await store.list(), models);
  });
});

test("saveSettings() replaces the settings of a model, and removes what is empty", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder, "m");
    const path = join(store.layout.folder, ".svc", "runtime-model-settings.json");
    assert.equal(store.settingsPath, path);
    assert.deepEqual(await store.settings(), new Map());
    const saved = await store.saveSettings("m", { alias: " Fast ", pinned: true, topP: 0.5 });
    assert.deepEqual(saved, { alias: "Fast", pinned: true, topP: 0.5 });
    assert.deepEqual(await store.saveSettings("m", { ttlSeconds: 60 }), { ttlSeconds: 60, pinned: false });
    assert.deepEqual(await store.settings(), new Map([["m", { ttlSeconds: 60, pinned: false }]]));
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), {
      version: 1,
      models: { m: { pinned: false, ttlSeconds: 60 } },
    });
    await store.saveSettings("m", {});
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { version: 1, models: {} });
    assert.deepEqual(readdirSync(store.layout.own).sort(), ["runtime-model-settings.json", "staging"]);
  });
});

test("saveSettings() works for models of the catalog, and for no others", async () => {
  await withFolder(async (folder) => {
    const store = openModelStore(folder);
    assert.ok(store.known.includes("qwen3-0.6b"));
    await store.saveSettings("qwen3-0.6b", { alias: "small", engineOverride: "onnx-text" });
    await assert.rejects(store.saveSettings("nobody", {}), {
      code: "model_not_found",
      message: 'Cannot find the model "nobody": it is neither installed nor in the catalog, see svc model list',
    });
    await assert.rejects(store.saveSettings("qwen3-1.7b", { alias: "SMALL" }), { code: "alias_taken" });
    await assert.rejects(store.saveSettings("qwen3-1.7b", { alias: "qwen3-0.6b" }), { code: "alias_taken" });
    await assert.rejects(store.saveSettings("qwen3-1.7b", { topP: 3 }), { code: "invalid_settings", param: "topP" });
    assert.deepEqual([...(await store.settings()).keys()], ["qwen3-0.6b"]);
  });
});

test("settings() never takes a broken file for an empty one, and nothing writes over it", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder, "m");
    writeFileSync(store.settingsPath, "{ broken");
    const broken = {
      code: "broken_settings",
      message: `Cannot read ${store.settingsPath}: it is not JSON; repair the ` +
        "file, or delete it to start over",
    };
    await assert.rejects(store.settings(), broken);
    await assert.rejects(store.saveSettings("m", { pinned: true }), broken);
    assert.equal(readFileSync(store.settingsPath, "utf8"), "{ broken");
  });
});

// @row model-api > Runtime settings > Stored in a settings file in the store
test("updateSettings() loses no change of several processes", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder, "m");
    const program = fileURLToPath(new URL("../app/change_settings.ts", import.meta.url));
    const args = [...programArguments(), program, store.layout.folder, "m", "25"];
    const others = [1, 2].map(() => promisify(execFile)(process.execPath, args));
    for (let i = 0; i < 25; i++) {
      await store.updateSettings("m", (stored) => ({ ...stored, maxTokens: (stored?.maxTokens ?? 0) + 1 }));
    }
    await Promise.all(others);
    assert.equal((await store.settings()).get("m")?.maxTokens, 75);
  });
});

test("addModel() leaves nothing behind when it fails or is stopped", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder);
    const source = join(folder, "source");
    const stop = new AbortController();
    const stopped = addModel(store, { path: source, id: "m" }, () => stop.abort(new Error("stopped")), stop.signal);
    await assert.rejects(stopped, { message: "stopped" });
    rmSync(join(source, "tokenizer.json"));
    await assert.rejects(addModel(store, { path: source, id: "m", task: "rerank" }, () => {}, never));
    assert.deepEqual(await store.list(), []);
    assert.deepEqual(readdirSync(store.layout.staging), []);
  });
});

test("addModel() refuses hostile headers of weights before it copies anything", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder);
    const path = join(folder, "odd");
    const refused = async (weights: Uint8Array, message: RegExp) => {
      writeModelFiles(path, { ...files, "1_Dense/model.safetensors": weights });
      const copied = () => assert.fail("a file was copied");
      await assert.rejects(addModel(store, { path, id: "m" }, copied, never), { code: "unsuitable_files", message });
    };
    await refused(safetensorsBytes("[".repeat(99_000_000)), /^Cannot read 1_Dense\/model\.safetensors: .* levels/);
    await refused(
      safetensorsBytes('{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'),
      /"w" is invalid, its bytes/,
    );
    writeModelFiles(path, { ...files, "config.json": new TextEncoder().encode("[".repeat(9_000_000)) });
    rmSync(join(path, "1_Dense"), { recursive: true });
    await assert.rejects(addModel(store, { path, id: "m" }, () => {}, never), { message: /more than 512 levels/ });
    assert.deepEqual(await store.list(), []);
  });
});

test("addModel() says what is wrong with a tokenizer or a template", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder);
    const refused = async (name: string, text: string, message: RegExp) => {
      writeModelFiles(join(folder, "odd"), { ...files, [name]: new TextEncoder().encode(text) });
      const path = join(folder, "odd");
      await assert.rejects(addModel(store, { path, id: "m" }, () => {}, never), { message });
    };
    await refused("tokenizer.json", "{", /^Cannot use tokenizer\.json: /);
    await refused("tokenizer.json", '{"model":{"type":"Odd"}}', /^Cannot use tokenizer\.json: .*Odd/);
    await refused(
      "chat_template.jinja",
      "{% for x in %}",
      /^Cannot read the chat template: .*, expected a Jinja template$/,
    );
    assert.deepEqual(await store.list(), []);
  });
});

test("a killed addModel() leaves no model, and the next one removes what it left", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder);
    const source = join(folder, "source");
    const program = fileURLToPath(new URL("../app/add_and_wait.ts", import.meta.url));
    const adding = spawn(process.execPath, [...programArguments(), program, store.layout.folder, source], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(adding.stdout, "data");
    assert.equal(readdirSync(store.layout.staging).length, 1);
    adding.kill("SIGKILL");
    await once(adding, "exit");
    assert.deepEqual(await store.contents(), { models: [], broken: [] });
    await addModel(store, { path: source, id: "m" }, () => {}, never);
    assert.deepEqual((await store.list()).map(({ id }) => id), ["m"]);
    assert.deepEqual(readdirSync(store.layout.staging), []);
  });
});

test("checkSpace() leaves space for the machine", () => {
  const gib = 2 ** 30;
  checkSpace("pull x", 0, 0);
  checkSpace("pull x", gib, 3 * gib);
  checkSpace("pull x", 20 * gib, 24 * gib);
  const full = { code: "disk_full" };
  assert.throws(() => checkSpace("pull x", gib, 3 * gib - 1), full);
  assert.throws(() => checkSpace("pull x", 20 * gib, 24 * gib - 1), {
    ...full,
    message:
      "Cannot pull x: it needs 20 GiB and some spare space, 24 GiB in all, but the disk has 24 GiB, expected more " +
      "free space or another folder in SVC_MODELS_DIR",
  });
});

test("freeBytes() reports the disk of a folder that is still to be made", async () => {
  await withFolder(async (folder) => {
    const free = await freeBytes(join(folder, "not", "there"));
    assert.ok(free > 0 && Number.isFinite(free));
  });
});

test("openStaging() removes what processes have left that were killed", async () => {
  await withFolder(async (folder) => {
    const store = openModelStore(folder);
    const dead = join(store.layout.staging, "999999999-x");
    mkdirSync(dead, { recursive: true });
    const mine = await openStaging(store);
    assert.ok(!existsSync(dead));
    const another = await openStaging(store);
    assert.ok(existsSync(mine.folder) && existsSync(another.folder));
    await mine.discard();
    assert.ok(!existsSync(mine.folder));
  });
});

test("addModel() gives an id to one of several that ask for it at the same time", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder);
    const add = () => addModel(store, { path: join(folder, "source"), id: "m" }, () => {}, never);
    const results = await Promise.allSettled([add(), add(), add()]);
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    for (const result of results) {
      if (result.status === "rejected") assert.equal(result.reason.code, "already_installed");
    }
    assert.equal((await store.list()).length, 1);
    assert.deepEqual(readdirSync(store.layout.staging), []);
  });
});

test("addModel() refuses an id that is the alias of another model", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder, "m");
    await store.saveSettings("m", { alias: "Fast" });
    await assert.rejects(addModel(store, { path: join(folder, "source"), id: "fast" }, () => {}, never), {
      code: "alias_taken",
      message: "Cannot add fast: it is the alias of m, clear it with svc model runtime set m --clear-alias or choose " +
        "another `id`",
    });
  });
});

// @row model-api > Options > `--read-only-store`
test("a read-only store is read, and nothing in it is written, locked or deleted", async () => {
  await withFolder(async (folder) => {
    const { layout } = await storeWith(folder, "shared");
    const look = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { ino, size, mtimeMs, ctimeMs } = statSync(path);
        return [path, ino, size, mtimeMs, ctimeMs].join(" ");
      }).sort();
    const before = look();
    const store = openModelStore(layout.folder, true);
    assert.deepEqual((await store.list()).map(({ id }) => id), ["shared"]);
    const plan = { id: "more", repository: { name: "a/b", commit: "c" }, files: [], bytes: 0 } as never;
    for (
      const [what, change] of [
        ["add", () => addModel(store, { path: join(folder, "source"), id: "more" }, () => {}, never)],
        ["remove", () => removeModel(store, "shared")],
        ["settings", () => store.saveSettings("shared", { alias: "other" })],
        ["lock", () => store.exclusively(() => Promise.resolve())],
        ["stage", () => openStaging(store)],
        ["pull", () => downloadPlan(store, {} as Hub, plan, { progress: () => {}, signal: never } as never, false)],
      ] as const
    ) await assert.rejects(change(), { code: "store_read_only" }, what);
    await assert.rejects(removeModel(store, "shared"), (error: Error) => {
      assert.match(error.message, /read-only here \(`readOnlyStore` or SVC_READ_ONLY_STORE\)/);
      assert.match(commandLineMessage(error), /read-only here \(--read-only-store or SVC_READ_ONLY_STORE\)/);
      return true;
    });
    const env = { ...process.env };
    Object.assign(process.env, { SVC_MODELS_DIR: layout.folder, SVC_HOME: join(folder, "home") });
    try {
      const handler = await openModelHandler({
        readOnlyStore: true,
        device: "cpu",
        memoryGuard: { tier: "off" },
        log: () => {},
      });
      const at = "http://127.0.0.1/runtime/models/shared/settings";
      const headers = { host: "127.0.0.1", "content-type": "application/json" };
      const answer = await handler.fetch(new Request(at, { method: "PATCH", headers, body: '{"alias":"other"}' }));
      assert.deepEqual([answer.status, (await answer.json()).error.code], [403, "store_read_only"]);
      const { data } = await (await handler.fetch(new Request("http://127.0.0.1/v1/models", { headers }))).json();
      assert.ok(data.some(({ id }: { id: string }) => id === "shared"));
      await handler.close();
      Object.assign(process.env, { SVC_READ_ONLY_STORE: "1" });
      await assert.rejects(openModelStore().saveSettings("shared", {}), { code: "store_read_only" });
    } finally {
      for (const name of ["SVC_MODELS_DIR", "SVC_HOME", "SVC_READ_ONLY_STORE"]) {
        if (env[name] === undefined) delete process.env[name];
        else process.env[name] = env[name];
      }
    }
    rmSync(join(folder, "home"), { recursive: true, force: true });
    assert.deepEqual(look().filter((line) => !line.startsWith(`${folder} `)), before);
  });
});

test("a store and a locked folder are made for their user alone, whatever the umask, and shared ones stay shared", async (t) => {
  if (process.platform === "win32") return t.skip("modes are those of POSIX");
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const before = process.umask();
  try {
    for (const umask of [0, 0o022, 0o077, 0o777]) {
      await withFolder(async (folder) => {
        process.umask(umask);
        const path = join(folder, "new", "models");
        await makeOwnFolder(path);
        assert.deepEqual([modeOf(path), modeOf(join(folder, "new"))], [0o700, 0o700]);
        if (umask === 0o777) return;
        const place = join(folder, "state");
        await (await lockFolder(place)).release();
        assert.equal(modeOf(place), 0o700);
        for (const change of ["add", "settings", "staging"]) {
          const store = openModelStore(join(folder, "stores", change));
          if (change === "staging") await (await openStaging(store)).discard();
          else if (change === "settings") await store.saveSettings("qwen3-0.6b", { pinned: true });
          else {
            writeModelFiles(join(folder, "source"), files);
            await addModel(store, { path: join(folder, "source"), id: "a" }, () => {}, never);
          }
          assert.equal(modeOf(store.layout.folder), 0o700, change);
        }
        const shared = join(folder, "shared");
        mkdirSync(shared);
        chmodSync(shared, 0o755);
        await openModelStore(shared).saveSettings("qwen3-0.6b", { pinned: true });
        assert.deepEqual([modeOf(shared), modeOf(join(shared, ".svc"))], [0o755, 0o777 & ~umask]);
      });
    }
  } finally {
    process.umask(before);
  }
});

test("a folder that is a model of a store is added without its record, which the new one replaces", async () => {
  await withFolder(async (folder) => {
    const store = await storeWith(folder, "first");
    for (const link of [false, true]) {
      const id = link ? "linked" : "copied";
      const model = await addModel(store, { path: store.layout.model("first"), id, link }, () => {}, never);
      assert.equal(model.files.some(({ path }) => path === "svc-model.json"), false);
      assert.deepEqual(await verifyModel(model, () => {}, never), []);
    }
  });
});
