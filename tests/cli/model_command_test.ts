import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatTransferBar, transferLines } from "../../cli/model/model_progress.ts";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { maskedDiffusionModel } from "../fixtures/tiny_models/masked_diffusion_model.ts";
import { translationModel } from "../fixtures/tiny_models/translation_model.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";
import { tinyChatFiles, withModelMachine, writeModelFiles } from "../support/model_machine.ts";

const chat = tinyChatFiles();

test("svc model add copies what the model needs, and reports its task and engine", async () => {
  await withModelMachine(async ({ home, store, out, run }) => {
    writeModelFiles(home, { ...chat, "README.md": "# hello", "model.safetensors": "x", ".git/config": "x" });
    assert.equal(await run("add", home, "--id", "tiny"), 0);
    assert.match(out[0], /^Added tiny \(chat\.completions, onnx-text, .+ MiB\)$/);
    const [model] = await store.list();
    assert.equal(model.folder, store.layout.model("tiny"));
    const names = model.files.map(({ path }) => path);
    assert.ok(
      names.includes("onnx/model_q4.onnx") && !names.includes("onnx/model.onnx") && !names.includes("README.md"),
    );
    for (const { path } of model.files) {
      assert.deepEqual(new Uint8Array(readFileSync(join(model.folder, path))), chat[path], path);
    }
    assert.equal(model.bytes, model.files.reduce((sum, { bytes }) => sum + bytes, 0));
  });
});

test("svc model add --link leaves the files where they are", async () => {
  await withModelMachine(async ({ home, store, run }) => {
    writeModelFiles(home, chat);
    assert.equal(await run("add", home, "--id", "tiny", "--link", "--quantization", "fp32"), 0);
    const [model] = await store.list();
    assert.equal(model.folder, home);
    assert.ok(model.files.some(({ path }) => path === "onnx/model.onnx"));
    assert.deepEqual(readdirSync(store.layout.model("tiny")), ["svc-model.json"]);
    assert.equal(await run("verify"), 0);
    assert.equal(await run("rm", "tiny", "--yes"), 0);
    assert.ok(existsSync(join(home, "onnx/model.onnx")));
  });
});

test("svc model add accepts every kind of model that an engine serves", async () => {
  const models = {
    gguf: [ggufChatModel(), "chat.completions", "gguf-text"],
    embedding: [embeddingModel(), "embeddings", "onnx-embedding"],
    rerank: [rerankModel(), "rerank", "onnx-rerank"],
    diffusion: [maskedDiffusionModel(), "chat.completions", "onnx-diffusion"],
    translation: [translationModel(), "chat.completions", "transformers-js"],
  } as const;
  await withModelMachine(async ({ home, store, run }) => {
    for (const [id, [files]] of Object.entries(models)) {
      writeModelFiles(join(home, id), files);
      assert.equal(await run("add", join(home, id), "--id", id), 0);
    }
    const gguf = readdirSync(join(home, "gguf")).find((name) => name.endsWith(".gguf")) ?? "";
    assert.equal(await run("add", join(home, "gguf", gguf), "--id", "file"), 0);
    for (const { id, task, profile, files } of await store.list()) {
      const [, expectedTask, engine] = models[id === "file" ? "gguf" : id as keyof typeof models];
      assert.deepEqual([task, profile?.engine], [expectedTask, engine]);
      if (id === "file") assert.deepEqual(files.map(({ path }) => path), [gguf]);
    }
  });
});

test("svc model add follows links to files, as caches of models have them, and none to folders", async () => {
  await withModelMachine(async ({ home, store, run }) => {
    writeModelFiles(join(home, "blobs"), chat);
    const snapshot = join(home, "snapshot");
    mkdirSync(join(snapshot, "onnx"), { recursive: true });
    for (const path of Object.keys(chat)) symlinkSync(join(home, "blobs", path), join(snapshot, path));
    symlinkSync(home, join(snapshot, "loop"));
    assert.equal(await run("add", snapshot, "--id", "tiny"), 0);
    const [model] = await store.list();
    assert.ok(model.files.every(({ path }) => !path.startsWith("loop")));
    assert.deepEqual(new Uint8Array(readFileSync(join(model.folder, "config.json"))), chat["config.json"]);
  });
});

test("svc model add says what is wrong with its words and files", async () => {
  await withModelMachine(async ({ home, store, run }) => {
    writeModelFiles(home, chat);
    const usage = (message: RegExp | string) => ({ name: "UsageError", message });
    await assert.rejects(
      run("add"),
      usage("Cannot run svc model add: 0 arguments given, expected one folder, .gguf file or archive"),
    );
    await assert.rejects(run("add", home, "--id", "A b"), usage(/^Cannot use the model id "A b": expected up to 96 /));
    await assert.rejects(
      run("add", home, "--id", "a", "--task", "dance"),
      usage(/--task is "dance", expected one of chat/),
    );
    await assert.rejects(run("add", home, "--id", "a", "--color", "red"), usage(/the flag --color is unknown/));
    const unsuitable = (message: RegExp) => ({ code: "unsuitable_files", message });
    await assert.rejects(
      run("add", join(home, "x"), "--id", "a"),
      unsuitable(/it does not exist, expected/),
    );
    const config = join(home, "config.json");
    await assert.rejects(run("add", config, "--id", "a"), unsuitable(/it is neither a folder nor a \.gguf file/));
    await assert.rejects(
      run("add", home, "--id", "a", "--task", "rerank"),
      unsuitable(/not for rerank, omit `task`$/),
    );
    await assert.rejects(
      run("add", home, "--id", "a", "--quantization", "q1"),
      unsuitable(/no weights in q1, expected one of fp32, q4/),
    );
    writeFileSync(join(home, "onnx/model_q4.onnx"), "garbage");
    await assert.rejects(run("add", home, "--id", "a"), { message: /^Cannot .*model_q4\.onnx/ });
    assert.deepEqual(await store.list(), []);
    await run("add", home, "--id", "a", "--quantization", "fp32");
    await assert.rejects(run("add", home, "--id", "a", "--quantization", "fp32"), {
      code: "already_installed",
      message: "Cannot add a: a model with this id is installed, remove it with svc model rm a or choose another `id`",
    });
  });
});

test("svc model list lists what is installed, broken and missing", async () => {
  await withModelMachine(async ({ home, store, out, err, run }) => {
    writeModelFiles(home, chat);
    await run("add", home, "--id", "tiny");
    await run("add", home, "--id", "bad");
    await run("runtime", "set", "tiny", "--alias", "Fast");
    writeFileSync(join(store.layout.model("bad"), "svc-model.json"), "");
    out.length = 0;
    assert.equal(await run("list"), 0);
    assert.match(out[0], /^ID +TASK +ENGINE +STATUS +SIZE +MEMORY +ALIAS$/);
    assert.match(out[1], /^tiny +chat\.completions +onnx-text +installed +[\d.]+ MiB +fits +Fast$/);
    assert.match(out[2], /^bad +broken$/);
    assert.ok(
      out.some((line) =>
        /^qwen3-0\.6b +chat\.completions +onnx-text +missing +[\d.]+ MiB +(fits|tight|too large)$/.test(line)
      ),
    );
    assert.ok(
      out.some((line) =>
        /^speech-tts-kokoro-82m +audio\.speech +onnx-kokoro +missing +[\d.]+ MiB +(fits|tight|too large)$/.test(line)
      ),
    );
    assert.match(err[0], /^Cannot use the model bad: its svc-model\.json is not JSON; remove it with svc model rm bad/);
    out.length = 0;
    assert.equal(await run("list", "--json"), 0);
    const { folder, models } = JSON.parse(out[0]);
    assert.equal(folder, store.layout.folder);
    assert.deepEqual(models[0], {
      ...{ id: "tiny", status: "installed", task: "chat.completions", engine: "onnx-text" },
      ...{ bytes: (await store.list())[0].bytes, memory: "fits", alias: "Fast" },
    });
    assert.deepEqual(models[1], { id: "bad", status: "broken" });
    assert.equal(await run("rm", "bad", "--yes"), 0);
  });
});

test("svc model show shows everything about a model that is installed or could be", async () => {
  await withModelMachine(async ({ home, store, out, run }) => {
    writeModelFiles(home, chat);
    await run("add", home, "--id", "tiny");
    await run("runtime", "set", "tiny", "--alias", "Fast");
    out.length = 0;
    assert.equal(await run("show", "fast"), 0);
    const text = out.join("\n");
    assert.match(
      text,
      /^Id +tiny\nTask +chat\.completions\nEngine +onnx-text\nContext +4096 tokens\nFeatures +.*tools/,
    );
    assert.match(text, /\nSampling +temperature [\d.]+, top_k \d+, top_p [\d.]+, min_p [\d.]+\n/);
    assert.match(text, /\nSettings +\{"alias":"Fast","pinned":false\}\nFiles\n {2}chat_template\.jinja \(.+ KiB\)\n/);
    out.length = 0;
    await run("show", "tiny", "--json");
    const shown = JSON.parse(out[0]);
    const [model] = await store.list();
    assert.deepEqual(shown.files, model.files);
    assert.equal(shown.settings.alias, "Fast");
    assert.ok(shown.profile.capabilities.features.includes("tools"));
    out.length = 0;
    await run("show", "qwen3-0.6b");
    assert.match(
      out.join("\n"),
      /\nAbilities +tools, reasoning\n[^]*\nFrom +onnx-community\/Qwen3-0\.6B-ONNX at [0-9a-f]{40}\n[^]*not installed, run svc model pull qwen3-0\.6b$/,
    );
    out.length = 0;
    await run("show", "qwen3-vl-2b");
    assert.match(out.join("\n"), /\nNeeds +npm install @huggingface\/transformers@\d/);
    await assert.rejects(run("show", "nobody"), {
      name: "UsageError",
      message: 'Cannot show "nobody": no installed model has this name, see svc model list',
    });
  });
});

test("svc model rm asks a person, and needs --yes without one", async () => {
  await withModelMachine(async (machine) => {
    const { home, store, out, err, run } = machine;
    writeModelFiles(home, chat);
    await run("add", home, "--id", "tiny");
    await run("runtime", "set", "tiny", "--alias", "Fast", "--pinned");
    await assert.rejects(run("rm", "tiny"), {
      name: "UsageError",
      message: "Cannot remove tiny: the terminal is not interactive, expected --yes",
    });
    machine.answer = false;
    assert.equal(await run("rm", "tiny"), 1);
    assert.equal(err.at(-1), "Kept tiny");
    assert.equal((await store.list()).length, 1);
    machine.answer = true;
    assert.equal(await run("rm", "Fast"), 0);
    assert.equal(out.at(-1), "Removed tiny");
    assert.ok(!existsSync(store.layout.model("tiny")));
    assert.deepEqual(await store.settings(), new Map());
    assert.deepEqual(readdirSync(store.layout.staging), []);
    await assert.rejects(run("rm", "tiny"), { name: "UsageError", message: /no installed model has this name/ });
    await assert.rejects(run("rm", "../home", "--yes"), { name: "UsageError" });
  });
});

test("svc model verify finds every byte that has changed", async () => {
  await withModelMachine(async ({ home, store, out, err, run }) => {
    writeModelFiles(home, chat);
    await run("add", home, "--id", "tiny");
    await run("add", home, "--id", "other");
    out.length = 0;
    assert.equal(await run("verify"), 0);
    assert.deepEqual(out, ["other: all 6 files are unchanged", "tiny: all 6 files are unchanged"]);
    const folder = store.layout.model("tiny");
    const weights = new Uint8Array(readFileSync(join(folder, "onnx/model_q4.onnx")));
    writeFileSync(join(folder, "onnx/model_q4.onnx"), weights.with(99, weights[99] ^ 1));
    writeFileSync(join(folder, "config.json"), "{}");
    writeFileSync(join(folder, "extra.txt"), "of no account");
    rmSync(join(folder, "tokenizer.json"));
    assert.equal(await run("verify", "tiny"), 1);
    assert.equal(err.length, 3);
    assert.match(err[0], /^tiny: config\.json has 2 bytes, expected \d+$/);
    assert.match(err[1], /^tiny: onnx\/model_q4\.onnx has the SHA-256 [0-9a-f]{64}, expected [0-9a-f]{64}$/);
    assert.equal(err[2], "tiny: tokenizer.json is missing");
    assert.equal(await run("verify", "other"), 0);
    assert.equal(await run("verify"), 1);
    writeFileSync(join(folder, "svc-model.json"), "");
    assert.equal(await run("verify"), 1);
    await assert.rejects(run("verify", "nobody"), { name: "UsageError" });
  });
});

// @row model-api > Service > `svc model runtime get` and `set`
test("svc model runtime set merges into what is stored, get prints it", async () => {
  await withModelMachine(async ({ home, out, run }) => {
    writeModelFiles(home, chat);
    await run("add", home, "--id", "tiny");
    const set = async (...args: string[]) => {
      out.length = 0;
      assert.equal(await run("runtime", "set", ...args, "--json"), 0);
      return JSON.parse(out[0]);
    };
    const sampling = ["--temperature", "0.5", "--top-p", "0.9", "--min-p", "0.1"];
    const limits = ["--ttl-seconds", "60", "--max-context-tokens", "2048", "--max-tokens", "256"];
    const settings = {
      ...{ alias: "Fast", pinned: true, temperature: 0.5, topP: 0.9, minP: 0.1 },
      ...{
        ttlSeconds: 60,
        maxContextTokens: 2048,
        maxTokens: 256,
        engineOverride: "onnx-text",
        kvCacheMode: "default",
      },
    };
    await set("tiny", "--alias", "Fast", "--pinned", ...sampling);
    const engine = ["--engine", "onnx-text", "--kv-cache-mode", "default"];
    assert.deepEqual(await set("FAST", ...limits, ...engine), { id: "tiny", settings });
    out.length = 0;
    assert.equal(await run("runtime", "get", "fast", "--json"), 0);
    assert.deepEqual(JSON.parse(out[0]), { id: "tiny", settings });
    out.length = 0;
    await run("runtime", "get", "tiny");
    assert.ok(out.includes("temperature       0.5") && out.includes("alias             Fast"));
    const clears = ["alias", "ttl", "max-context-tokens", "max-tokens", "temperature", "top-p", "min-p", "engine"];
    const { settings: left } = await set("tiny", "--unpinned", ...clears.map((name) => `--clear-${name}`));
    assert.deepEqual(left, { pinned: false, kvCacheMode: "default" });
    assert.deepEqual((await set("qwen3-0.6b", "--pinned")).settings, { pinned: true });
  });
});

test("svc model runtime set names a draft model, and takes it away", async () => {
  await withModelMachine(async ({ home, out, run }) => {
    for (const [id, weights] of [["big", "f32"], ["draft", "q4_0"]] as const) {
      writeModelFiles(join(home, id), ggufChatModel({ weights }));
      await run("add", join(home, id), "--id", id);
    }
    const set = (...args: string[]) => run("runtime", "set", ...args, "--json");
    await assert.rejects(set("draft", "--draft-model", "big"), /no smaller than draft, expected a smaller model/);
    await assert.rejects(set("big", "--draft-model", "../big"), /expected the id of an installed model/);
    out.length = 0;
    await set("big", "--draft-model", "draft");
    await set("big", "--clear-draft-model");
    const settings = out.map((line) => JSON.parse(line).settings);
    assert.deepEqual(settings, [{ pinned: false, draftModel: "draft" }, { pinned: false }]);
  });
});

test("svc model runtime set refuses contradictions, bounds and what is not for the model", async () => {
  await withModelMachine(async ({ home, run }) => {
    writeModelFiles(home, embeddingModel());
    await run("add", home, "--id", "tiny");
    const refused = (args: string[], message: RegExp) =>
      assert.rejects(run("runtime", "set", "tiny", ...args), { name: "UsageError", message });
    const pairs = [
      [["--alias", "a"], "--clear-alias"],
      [["--pinned"], "--unpinned"],
      [["--ttl-seconds", "5"], "--clear-ttl"],
      [["--max-context-tokens", "5"], "--clear-max-context-tokens"],
      [["--max-tokens", "5"], "--clear-max-tokens"],
      [["--temperature", "0"], "--clear-temperature"],
      [["--top-p", "0"], "--clear-top-p"],
      [["--min-p", "0"], "--clear-min-p"],
      [["--engine", "onnx-text"], "--clear-engine"],
    ] as const;
    for (const [give, clear] of pairs) {
      await refused(
        [...give, clear],
        new RegExp(`${give[0]} and ${clear} exclude each other, expected one of them$`),
      );
    }
    await refused([], /no setting given/);
    await refused(["--temperature", "2.1"], /--temperature is "2\.1", expected a number from 0 to 2/);
    await refused(["--ttl-seconds", "0"], /--ttl-seconds is "0", expected an integer from 1 to/);
    await refused(["--kv-cache-mode", "affine2"], /--kv-cache-mode is "affine2", expected one of default/);
    await refused(["--top-p", "0.5"], /"topP" is 0\.5, expected only pinned and ttlSeconds for a model of embeddings$/);
    assert.equal(await run("runtime", "set", "tiny", "--pinned", "--ttl-seconds", "9"), 0);
    await assert.rejects(run("runtime", "set", "nobody", "--pinned"), {
      name: "UsageError",
      message: /Cannot find the model "nobody"/,
    });
    await assert.rejects(run("runtime", "get"), {
      name: "UsageError",
      message: /0 arguments given, expected one id or alias/,
    });
  });
});

test("svc model names the id that a mistyped one most likely means", async () => {
  await withModelMachine(async ({ home, run }) => {
    writeModelFiles(home, tinyChatFiles());
    await run("add", home, "--id", "tiny-chat");
    await run("runtime", "set", "tiny-chat", "--alias", "favourite");
    const commands = [["show"], ["verify"], ["rm", "--yes"], ["runtime", "get"], ["runtime", "set", "--pinned"]];
    for (const words of commands) {
      for (const [typed, meant] of [["tiny-cht", "tiny-chat"], ["favorite", "favourite"]]) {
        await assert.rejects(run(...words, typed), {
          name: "UsageError",
          message: new RegExp(`did you mean ${meant}\\?$`),
        });
      }
    }
    await assert.rejects(run("show", "nobody"), { name: "UsageError", message: /see svc model list$/ });
  });
});

test("svc model says in plain words what the disk refuses", async () => {
  await withModelMachine(async ({ store, run }) => {
    const reasons = {
      ENOSPC: "the disk is full, free some space and try again",
      EROFS: "permission denied, choose another location",
    };
    for (const [code, reason] of Object.entries(reasons)) {
      const refusal = Object.assign(new Error(`${code}: write`), { code });
      Object.assign(store, { updateSettings: () => Promise.reject(refusal) });
      await assert.rejects(run("runtime", "set", "qwen3-0.6b", "--pinned"), {
        message: `Cannot write to the store ${store.layout.folder}: ${reason}`,
      });
    }
  });
});

test("svc model commands answer --help", async () => {
  await withModelMachine(async ({ out, run }) => {
    const commands = ["add", "pull", "list", "show", "rm", "verify"].map((word) => [word]);
    for (const words of [...commands, ["runtime", "get"], ["runtime", "set"]]) {
      out.length = 0;
      assert.equal(await run(...words, "--help"), 0);
      const text = out.join("\n");
      assert.ok(text.includes(`Usage: svc model ${words.join(" ")} `), text);
      assert.ok(text.split("\n").every((line) => line.length <= 120), `a line of ${words} is too long`);
    }
    out.length = 0;
    assert.equal(await run("--help"), 0);
    for (const [word] of [...commands, ["runtime"]]) assert.match(out.join(""), new RegExp(`\n  ${word} `));
  });
});

test("formatTransferBar() shows how far a file is, and nothing that steers a terminal", () => {
  const progress = { step: "download", path: "a\u001b[2J.onnx", done: 512 * 2 ** 20, total: 2 ** 30 } as const;
  assert.equal(
    formatTransferBar(progress, 3 * 2 ** 20),
    "Downloading ████████████░░░░░░░░░░░░ a\\u001b[2J.onnx | 512 MiB of 1 GiB | 3 MiB/s | 3 min left",
  );
  assert.match(formatTransferBar({ ...progress, done: 0, total: 0 }, 0), /0 KiB of 0 KiB$/);
});

test("transferLines() prints each file once, when it is done", () => {
  const lines: string[] = [];
  const view = transferLines((line) => lines.push(line));
  for (const done of [1024, 2048]) view.update({ step: "copy", path: "a.json", done, total: 2048 });
  view.stop();
  assert.deepEqual(lines, ["Copied a.json (2 KiB)"]);
});
