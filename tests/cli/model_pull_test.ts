import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CATALOG } from "../../lib/store/catalog/catalog.ts";
import { downloadFile } from "../../lib/store/download_file.ts";
import { ModelBuilder } from "../../lib/compute/onnx/model_builder.ts";
import { ProtoWriter } from "../../lib/compute/onnx/proto.ts";
import type { SvcError } from "../../lib/errors/svc_error.ts";
import { commandLineMessage } from "../../lib/platform/terminal/flags.ts";
import { openHub } from "../../lib/store/hub.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufVisionModel } from "../fixtures/tiny_models/gguf_vision_model.ts";
import { COMMIT, type FakeHub, type FakeRepository, sha256, withHub } from "../support/fake_hub.ts";
import { type ModelMachine, tinyChatFiles, withModelMachine } from "../support/model_machine.ts";

const Q4 = "onnx/model_q4.onnx";
const FP32 = "onnx/model.onnx";
const files: Readonly<Record<string, Uint8Array>> = {
  ...tinyChatFiles(),
  "README.md": new TextEncoder().encode("# A model"),
  "model.safetensors": new Uint8Array(5000),
  "vocab.txt": new Uint8Array(0),
};
const weights = files[Q4];
const repository: FakeRepository = { name: "someone/Tiny-Chat", license: "apache-2.0", files };

/** Runs work with a machine that pulls from a hub with these repositories. */
async function withBoth(
  repositories: readonly FakeRepository[],
  work: (machine: ModelMachine, hub: FakeHub) => Promise<void>,
): Promise<void> {
  await withHub(repositories, (hub) =>
    withModelMachine(async (machine) => {
      machine.environment.HF_ENDPOINT = hub.url;
      await work(machine, hub);
    }));
}

/** The parts of the large file that were asked for. */
function ranges(hub: FakeHub): (string | undefined)[] {
  return hub.requests.filter(({ storage }) => storage).map(({ range }) => range);
}

test("svc model pull gets the files that are needed, from one commit, with sizes and hashes", async () => {
  await withBoth([repository], async ({ store, out, err, run }, hub) => {
    assert.equal(await run("pull", "someone/Tiny-Chat"), 0);
    const [model] = await store.list();
    assert.equal(model.id, "tiny-chat");
    assert.equal(model.task, "chat.completions");
    assert.equal(model.license, "Apache-2.0");
    assert.deepEqual(model.source, { repository: "someone/Tiny-Chat", revision: COMMIT });
    const left = [FP32, "README.md", "model.safetensors"];
    const wanted = Object.keys(files).filter((path) => !left.includes(path));
    assert.deepEqual(model.files.map(({ path }) => path), wanted.sort());
    for (const { path, bytes, sha256: hash } of model.files) {
      const content = new Uint8Array(readFileSync(join(model.folder, path)));
      assert.deepEqual(content, files[path], path);
      assert.equal(bytes, content.length);
      assert.equal(hash, sha256(content));
    }
    assert.match(
      err[0],
      /^someone\/Tiny-Chat at c0ffee000000, license Apache-2.0: 7 files, \d\.\d MiB, .+ this machine's memory$/,
    );
    assert.match(out[0], /^Pulled tiny-chat \(chat\.completions, onnx-text, .*\) into /);
    const asked = hub.requests.filter(({ path }) => path.includes("/resolve/"));
    assert.ok(asked.every(({ path }) => path.includes(`/resolve/${COMMIT}/`)));
    assert.deepEqual(readdirSync(store.layout.downloads), []);
    assert.deepEqual(readdirSync(store.layout.staging), []);
  });
});

test("svc model pull takes --id, --revision and --quantization", async () => {
  const other = { ...repository, commit: "ab".repeat(20) };
  await withBoth([other], async ({ store, run }) => {
    assert.equal(
      await run("pull", other.name, "--id", "mine", "--revision", other.commit, "--quantization", "fp32"),
      0,
    );
    const [model] = await store.list();
    assert.equal(model.id, "mine");
    assert.equal(model.source?.revision, other.commit);
    assert.ok(model.files.some(({ path }) => path === FP32));
    assert.ok(!model.files.some(({ path }) => path === Q4));
    await assert.rejects(run("pull", other.name, "--quantization", "q2"), {
      message: "Cannot use someone/Tiny-Chat: it has no weights in q2, expected one of fp32, q4",
    });
    await assert.rejects(run("pull", other.name, "--revision", "nowhere"), {
      message: /^Cannot pull someone\/Tiny-Chat: the hub has no such repository or revision, check the name at http/,
    });
  });
});

test("svc model pull takes the models of the catalog by their ids", async () => {
  const { revision } = CATALOG.find(({ id }) => id === "qwen3-0.6b")!;
  const qwen: FakeRepository = { ...repository, name: "onnx-community/Qwen3-0.6B-ONNX", commit: revision };
  const whisper: FakeRepository = { ...repository, name: "onnx-community/whisper-base" };
  await withBoth([qwen, whisper], async ({ store, run }) => {
    assert.equal(await run("pull", "qwen3-0.6b"), 0);
    const [first] = await store.list();
    assert.deepEqual([first.id, first.task, first.source?.repository], ["qwen3-0.6b", "chat.completions", qwen.name]);
    // The files must be of the task that the catalog says.
    await assert.rejects(run("pull", "speech-asr-whisper-base", "--quantization", "fp32"), {
      code: "unsuitable_files",
      message: /its files are a model for chat\.completions, not for audio\.transcriptions/,
    });
  });
});

test("svc model pull takes the faster of two forms and says so, or the one that --form names", async () => {
  const { revision } = CATALOG.find(({ id }) => id === "qwen3-0.6b")!;
  const onnx: FakeRepository = { ...repository, name: "onnx-community/Qwen3-0.6B-ONNX", commit: revision };
  const gguf: FakeRepository = {
    name: "unsloth/Qwen3-0.6B-GGUF",
    license: "apache-2.0",
    files: { "Qwen3-0.6B-Q4_K_M.gguf": ggufChatModel()["tiny-chat.gguf"] },
  };
  await withBoth([onnx, gguf], async (machine) => {
    const { store, err, run } = machine;
    const from = async (...flags: string[]): Promise<string | undefined> => {
      err.length = 0;
      assert.equal(await run("pull", "qwen3-0.6b", "--force", ...flags), 0);
      return (await store.list()).find(({ id }) => id === "qwen3-0.6b")?.source?.repository;
    };
    assert.equal(await from(), onnx.name);
    assert.equal(
      err[1],
      "Takes it as onnx: llama.cpp, which is faster, is not installed (npm install node-llama-cpp); --form gguf takes " +
        "the other form",
    );
    machine.llama = "metal";
    assert.equal(await from(), gguf.name);
    assert.equal(
      err[1],
      "Takes it as gguf: llama.cpp is installed (metal) and faster than ONNX Runtime; --form onnx takes the other form",
    );
    assert.equal(await from("--form", "onnx"), onnx.name);
    assert.deepEqual(err.filter((line) => line.startsWith("Takes")), []);
    // What belongs to the entry's own files takes these.
    assert.equal(await from("--quantization", "q4"), onnx.name);
    await assert.rejects(run("pull", "qwen3-4b", "--form", "onnx"), {
      name: "UsageError",
      message: 'Cannot pull "qwen3-4b" as onnx: the catalog has it in another form alone',
    });
    await assert.rejects(run("pull", onnx.name, "--form", "onnx"), {
      message: `Cannot pull "${onnx.name}" as onnx: it is not in the catalog, which has the forms of a model`,
    });
    await assert.rejects(run("pull", "dreamx-5b", "--form", "onnx"), /worlds have one form/);
    await assert.rejects(run("pull", "--packaged", "--form", "onnx"), /--form does not apply to it/);
  });
});

test("svc model pull leaves a model alone that is installed, and replaces it with --force", async () => {
  await withBoth([repository], async ({ store, out, run }, hub) => {
    await run("pull", repository.name);
    hub.requests.length = 0;
    assert.equal(await run("pull", repository.name), 0);
    assert.equal(out.at(-1), "tiny-chat is installed already, use --force to pull it again");
    assert.deepEqual(hub.requests, []);
    assert.equal(await run("pull", repository.name, "--force", "--quantization", "fp32"), 0);
    const [model, ...others] = await store.list();
    assert.deepEqual(others, []);
    assert.ok(model.files.some(({ path }) => path === FP32));
    assert.ok(!existsSync(join(model.folder, Q4)));
  });
});

test("svc model pull resumes after a broken connection", async () => {
  await withBoth([repository], async ({ store, run }, hub) => {
    hub.behaviour.cuts = [100_000];
    assert.equal(await run("pull", repository.name), 0);
    assert.equal((await store.list()).length, 1);
    const [first, second, ...more] = ranges(hub);
    assert.equal(first, undefined);
    assert.match(second ?? "", /^bytes=[1-9]\d{0,5}-$/);
    assert.deepEqual(more, []);
  });
});

test("svc model pull resumes a stopped run", async () => {
  await withBoth([repository], async ({ store, run }, hub) => {
    const folder = join(store.layout.downloads, `someone--Tiny-Chat@${COMMIT}`);
    const signal = new AbortController().signal;
    const opened = openHub({ url: hub.url, token: undefined });
    const described = await opened.describe(repository.name, "main", signal);
    const file = described.files.find(({ path }) => path === Q4);
    assert.ok(file);
    await downloadFile(opened, described, file, folder, {
      onTransfer: () => {},
      signal,
      wait: () => Promise.resolve(),
    });
    writeFileSync(join(folder, file.path), weights.subarray(0, 1234));
    hub.requests.length = 0;
    assert.equal(await run("pull", repository.name), 0);
    assert.deepEqual(ranges(hub), ["bytes=1234-"]);
    assert.equal((await store.list())[0].files.find(({ path }) => path === file.path)?.sha256, sha256(weights));
  });
});

test("svc model pull fetches a part again if its content differs", async () => {
  await withBoth([repository], async ({ store, run }, hub) => {
    const folder = join(store.layout.downloads, `someone--Tiny-Chat@${COMMIT}`);
    mkdirSync(join(folder, "onnx"), { recursive: true });
    writeFileSync(join(folder, Q4), new Uint8Array(5000).fill(9));
    assert.equal(await run("pull", repository.name), 0);
    assert.deepEqual(ranges(hub), ["bytes=5000-", undefined]);
  });
});

test("svc model pull looks into large weights before it downloads them, and clears what it cannot use", async () => {
  // A text in the file that nothing reads, after everything else.
  const text = new ProtoWriter().bytes(6, new Uint8Array(9 * 2 ** 20)).finish();
  const padded = (bytes: Uint8Array) => new Uint8Array(Buffer.concat([bytes, text]));
  const good = { name: "someone/Large-Chat", files: { ...tinyChatFiles(), [Q4]: padded(weights) }, license: "mit" };
  const stateless = new ModelBuilder("inside");
  stateless.input("input_ids", "int64", ["batch", "tokens"]);
  stateless.output("logits", "int64", ["batch", "tokens"], "input_ids");
  const bad = { ...good, name: "someone/Stateless", files: { ...good.files, [Q4]: padded(stateless.finish().bytes) } };
  const { "chat_template.jinja": _, ...noTemplate } = good.files as Record<string, Uint8Array>;
  const mute = { ...good, name: "someone/Mute", files: noTemplate };
  await withBoth([good, bad, mute], async ({ store, run }, hub) => {
    assert.equal(await run("pull", good.name), 0);
    const [before, ...whole] = ranges(hub);
    assert.ok(whole.length > 0 && before === undefined, "its header, then all of it");
    for (
      const [name, reason] of [[bad.name, /has no "past_key_values"/], [
        mute.name,
        /it is a base model: it has no chat template/,
      ]] as const
    ) {
      hub.requests.length = 0;
      await assert.rejects(run("pull", name), reason);
      const parts = hub.requests.filter(({ storage }) => storage);
      assert.ok(parts.length >= 1 && parts.length < 12, `${parts.length} requests`);
      assert.deepEqual(readdirSync(store.layout.downloads).filter((one) => one.startsWith(name.split("/")[0])), []);
    }
    assert.equal((await store.list()).length, 1);
    hub.behaviour.ignoresRanges = true;
    assert.equal(await run("pull", good.name, "--id", "again"), 0);
  });
});

test("svc model pull takes one projector with a GGUF model, and says what reads images", async () => {
  const { "tiny-vision.gguf": model, "mmproj-tiny-vision.gguf": projector } = ggufVisionModel();
  const names = ["mmproj-F16.gguf", "mmproj-BF16.gguf", "mmproj-F32.gguf"];
  const all = { "Tiny-Q8_0.gguf": model, ...Object.fromEntries(names.map((name) => [name, projector])) };
  const seer = { name: "someone/Tiny-VL-GGUF", files: all, license: "mit" };
  const blind = { ...seer, name: "someone/Foreign-GGUF", files: { "Tiny-Q8_0.gguf": model, "mmproj-F16.gguf": model } };
  await withBoth([seer, blind], async ({ store, run, out }) => {
    assert.equal(await run("pull", seer.name, "--id", "seer"), 0);
    const [{ files }] = await store.list();
    assert.deepEqual(files.map(({ path }) => path).sort(), ["Tiny-Q8_0.gguf", "mmproj-F16.gguf"]);
    await assert.rejects(run("pull", blind.name), /mmproj-F16\.gguf: its general\.architecture is "qwen2"/);
    out.length = 0;
    assert.equal(await run("show", "gemma-3-4b"), 0);
    assert.match(out.join("\n"), /\nNeeds +npm install @fugood\/llama\.node@[\d.]+ for images\nAbilities +images\n/);
  });
});

test("svc model search finds models of the catalog and of the hub", async () => {
  const gguf = { name: "someone/Tiny-GGUF", files: { "tiny-q4_0.gguf": new Uint8Array(9) } };
  await withBoth([repository, gguf], async ({ out, run }) => {
    assert.equal(await run("search", "tiny"), 0);
    assert.match(out.shift()!, /^svc model pull granite-4-h-tiny {2}\(/);
    assert.deepEqual(out, [
      "svc model pull someone/Tiny-Chat  (onnx, 7 downloads)",
      "svc model pull someone/Tiny-GGUF  (gguf, 7 downloads)",
    ]);
    out.length = 0;
    assert.equal(await run("search", "SmolLM2", "--json"), 0);
    const { catalog, hub } = JSON.parse(out[0]);
    assert.deepEqual([catalog.map(({ id }: { id: string }) => id), hub], [["smollm2-135m"], []]);
  });
  await withModelMachine(async ({ environment, out, err, run }) => {
    environment.HF_ENDPOINT = "http://127.0.0.1:1";
    await assert.rejects(run("search", "no-such-word"), { code: "repository_unavailable" });
    assert.equal(await run("search", "Coder  qwen"), 0);
    assert.match(
      out.splice(0).join("\n"),
      /^svc model pull qwen2\.5-coder-7b .+\nsvc model pull qwen3-coder-30b-a3b .+$/,
    );
    assert.equal(await run("search", "granite-4-h"), 0);
    assert.match(out[0], /^svc model pull granite-4-h-tiny {2}\(/);
    assert.match(err.at(-1)!, /models of the catalog\. Cannot search for "granite-4-h": http:.* cannot be reached/);
  });
});

test("svc model pull works with a server that gives no parts of files", async () => {
  await withBoth([repository], async ({ store, run }, hub) => {
    hub.behaviour.ignoresRanges = true;
    hub.behaviour.cuts = [50_000];
    assert.equal(await run("pull", repository.name), 0);
    assert.equal((await store.list()).length, 1);
  });
});

test("svc model pull waits for a hub that is busy, and gives up when it stays so", async () => {
  await withBoth([repository], async ({ run }, hub) => {
    hub.behaviour.statuses = [503, 429, 500, 502, 503];
    await assert.rejects(run("pull", repository.name), {
      code: "repository_unavailable",
      message:
        /^Cannot pull someone\/Tiny-Chat: the connection for its file .+ broke 5 times \(.+\), try again to resume/,
    });
    hub.behaviour.statuses = [503, 429, 500, 502];
    assert.equal(await run("pull", repository.name), 0);
  });
});

test("svc model pull refuses and removes bytes that are not those of the commit", async () => {
  for (const damaged of [Q4, "tokenizer.json"]) {
    await withBoth([repository], async ({ store, run }, hub) => {
      hub.behaviour.spoil = (path, bytes) => path === damaged ? bytes.with(5, bytes[5] ^ 1) : bytes;
      const kind = damaged === "tokenizer.json" ? "Git id" : "SHA-256";
      await assert.rejects(run("pull", repository.name), {
        code: "corrupt_download",
        message: new RegExp(
          `^Cannot pull someone/Tiny-Chat: its file ${damaged} has the ${kind} \\w+, expected \\w+; it was removed, pull it again$`,
        ),
      });
      assert.deepEqual(await store.list(), []);
      const folder = join(store.layout.downloads, `someone--Tiny-Chat@${COMMIT}`);
      assert.ok(!existsSync(join(folder, damaged)));
      hub.behaviour.spoil = undefined;
      assert.equal(await run("pull", repository.name), 0);
    });
  }
});

test("svc model pull stops a file that does not end where it should", async () => {
  await withBoth([repository], async ({ store, run }, hub) => {
    hub.behaviour.spoil = (path, bytes) =>
      path === Q4 ? new Uint8Array([...bytes, ...new Uint8Array(5_000_000)]) : bytes;
    await assert.rejects(run("pull", repository.name), {
      code: "corrupt_download",
      message: /model_q4\.onnx has \d+ bytes, expected \d+/,
    });
    assert.deepEqual(await store.list(), []);
  });
});

test("svc model pull explains how to reach gated, private or missing models", async () => {
  const gated = { ...repository, token: "hf_secret" };
  await withBoth([gated], async ({ store, environment, run }, hub) => {
    await assert.rejects(run("pull", "someone/nothing"), {
      code: "repository_unavailable",
      message: /no such repository or no access, check the name; .* set HF_TOKEN$/,
    });
    await assert.rejects(run("pull", gated.name), (error: Error) => {
      const message =
        `Cannot pull someone/Tiny-Chat: it is gated, read the terms at ${hub.url}/someone/Tiny-Chat and ` +
        "try again with";
      assert.equal((error as SvcError).code, "license_not_accepted");
      assert.equal(error.message, `${message} \`acceptLicense\``);
      assert.equal(commandLineMessage(error), `${message} --accept-model-license`);
      return true;
    });
    await assert.rejects(run("pull", gated.name, "--accept-model-license"), {
      code: "repository_unavailable",
      message: /the hub answered 403, which means no such repository or no access/,
    });
    environment.HF_TOKEN = "secret";
    await assert.rejects(run("pull", gated.name), { message: /^Cannot use HF_TOKEN: it does not start with hf_/ });
    environment.HF_TOKEN = "hf_secret";
    assert.equal(await run("pull", gated.name, "--accept-model-license"), 0);
    assert.equal((await store.list()).length, 1);
    const inStorage = hub.requests.filter(({ storage }) => storage);
    assert.ok(inStorage.length > 0);
    assert.ok(inStorage.every(({ authorization }) => authorization === undefined), "the token left the hub");
  });
});

test("svc model pull asks for agreement to licences that are unknown or ask for more", async () => {
  for (const [license, what] of [["llama3.2", 'its license is "llama3.2"'], [undefined, "its license is unknown"]]) {
    const { license: _, ...rest } = repository;
    await withBoth([{ ...rest, ...(license ? { license } : {}) }], async ({ store, run }) => {
      await assert.rejects(run("pull", repository.name), { message: new RegExp(`${what}, read the terms`) });
      assert.deepEqual(await store.list(), []);
      assert.equal(await run("pull", repository.name, "--accept-model-license"), 0);
      assert.equal((await store.list())[0].license, license);
    });
  }
});

test("svc model pull never writes outside the model's folder", async () => {
  for (const path of ["../evil.json", "/etc/evil.json", "onnx/../../evil.json", "C:\\evil.json", "a\u0000.json"]) {
    await withBoth([repository], async ({ store, run }, hub) => {
      hub.behaviour.entries = [{ type: "file", path, size: 1, oid: "0".repeat(40) }];
      await assert.rejects(run("pull", repository.name), { code: "unsuitable_files", message: /is unsafe/ });
      assert.deepEqual(await store.list(), []);
    });
  }
});

test("svc model pull refuses answers that no hub gives", async () => {
  for (const entry of [{ type: "file", path: 5 }, { type: "file", path: "a.json", size: -1, oid: "0".repeat(40) }]) {
    await withBoth([repository], async ({ run }, hub) => {
      hub.behaviour.entries = [entry];
      await assert.rejects(run("pull", repository.name), {
        code: "repository_unavailable",
        message: /the server is not a model hub/,
      });
    });
  }
});

test("svc model pull says what cannot be reached", async () => {
  await withModelMachine(async ({ environment, run }) => {
    environment.HF_ENDPOINT = "http://127.0.0.1:1";
    await assert.rejects(run("pull", "a/b"), {
      code: "repository_unavailable",
      message: /^Cannot pull a\/b: http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\), check the network or HF_ENDPOINT/,
    });
    environment.HF_ENDPOINT = "hub";
    await assert.rejects(run("pull", "a/b"), { message: /^Cannot use HF_ENDPOINT: it is "hub", expected an address/ });
    await assert.rejects(run("pull", "qwen3-0.6"), {
      name: "UsageError",
      message: 'Cannot pull "qwen3-0.6": the catalog has no such model, did you mean qwen3-0.6b?',
    });
  });
});

test("svc model pull ends when it is asked to, and keeps what has come", async () => {
  await withBoth([repository], async ({ store, interrupt, run }, hub) => {
    hub.behaviour.spoil = (path, bytes) => {
      if (path === Q4) interrupt.abort(new Error("Cannot continue: interrupted by SIGINT"));
      return bytes;
    };
    await assert.rejects(run("pull", repository.name), { message: "Cannot continue: interrupted by SIGINT" });
    assert.deepEqual(await store.list(), []);
    const folder = join(store.layout.downloads, `someone--Tiny-Chat@${COMMIT}`);
    assert.ok(existsSync(join(folder, "config.json")));
    assert.ok(!existsSync(join(folder, "server.lock")));
  });
});

test("svc model pull ends at once when the disk is full", async () => {
  await withBoth([repository], async ({ store }, { url }) => {
    const hub = openHub({ url, token: undefined });
    const { signal } = new AbortController();
    const described = await hub.describe(repository.name, "main", signal);
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    let reads = 0;
    const broken = { ...hub, read: () => Promise.reject(reads++ === 0 ? full : new Error("read again")) };
    const wait = () => Promise.resolve();
    await assert.rejects(
      downloadFile(broken, described, described.files[0], store.layout.downloads, {
        onTransfer: () => {},
        signal,
        wait,
      }),
      full,
    );
  });
});
