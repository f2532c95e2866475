import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import { readServerSentEvents } from "../../lib/world/client/read_stream.ts";
import { readBootID } from "../../lib/platform/machine/machine_state.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { thisMachine } from "../../lib/platform/processes/processes.ts";
import { openRunRecords, type RunRecordFolders } from "../../lib/app/run_records/run_record_folder.ts";
import { chooseStartupModel, type StartupChoice } from "../../lib/app/models/startup_model.ts";
import { startApiProcess, withApiProcess } from "../support/api_process.ts";
import { end, type Running } from "../support/server_process.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";

const GREETING = "Hello! I am a tiny model, and I say what my script says.";

function chat(content: string, fields: object = {}): object {
  return { model: "", messages: [{ role: "user", content }], ...fields };
}

/** The text of an answer that is not streamed. */
async function textOf(response: Response): Promise<string> {
  const body = await response.json();
  assert.equal(response.status, 200, JSON.stringify(body));
  return body.choices[0].message.content;
}

/** Waits until a server has written something to stderr. */
async function written(server: Running, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(server.stderr());
    if (found) return found;
    assert.equal(server.child.exitCode, null, server.stderr());
    await new Promise((resolve) => server.child.stderr!.once("data", resolve));
  }
}

// @row model-api > Options > `--model`
test("the model API server starts without a model, says how to get one and sees it at once", () =>
  withApiProcess({ models: [] }, async (server) => {
    await written(server, /^svc: No chat model is installed: get one with svc model pull <id>/m);
    const { data } = await server.get("/v1/models");
    assert.deepEqual(data.map(({ id }: { id: string }) => id), ["image-corridor-nano"]);
    const refused = await server.post("/v1/chat/completions", chat("hi"));
    assert.equal(refused.status, 404);
    assert.match((await refused.json()).error.message, /svc model pull/);
    await installTinyModels(server.home, ["tiny-chat"]);
    assert.equal(await textOf(await server.post("/v1/chat/completions", chat("hi", { model: "tiny-chat" }))), GREETING);
    const ask = async (path: string, body: object) => await (await server.post(path, body)).json();
    const given = { model: "tiny-chat", content: "hi there", with_pieces: true };
    const pieces: { id: number; piece: string }[] = (await ask("/tokenize", given)).tokens;
    assert.equal(pieces.map(({ piece }) => piece).join(""), "hi there");
    const tokens = pieces.map(({ id }) => id);
    assert.deepEqual(await ask("/detokenize", { model: "tiny-chat", tokens }), { content: "hi there" });
    const { prompt } = await ask("/apply-template", chat("hi", { model: "tiny-chat" }));
    const raw = await ask("/v1/completions", { model: "tiny-chat", prompt, max_tokens: 100, temperature: 0 });
    assert.equal(raw.choices[0].text, GREETING);
    const messages = [{ role: "user", content: "hi" }];
    const message = await ask("/v1/messages", { model: "tiny-chat", max_tokens: 100, messages });
    assert.equal(message.content[0].text, GREETING);
    const response = await ask("/v1/responses", { model: "tiny-chat", input: "hi" });
    assert.equal(response.output[0].content[0].text, GREETING);
    end(server, "SIGINT");
    assert.equal(await server.exit, 0);
  }));

// @row model-api > Options > `--api-key`: required for a non-loopback host
test("the model API server passes no secret to its engines or its log", async () => {
  const key = "not-to-be-seen";
  await withFolder(async (home) => {
    await installTinyModels(home, ["tiny-chat"]);
    const server = startApiProcess(home, [`--api-key=${key}`], { SVC_API_KEY: `${key}-either` });
    try {
      const { url, model } = JSON.parse(await server.line);
      assert.equal(model, "tiny-chat"); // the only one is the default
      const headers = { authorization: `Bearer ${key}` };
      assert.equal((await fetch(`${url}/v1/models`, { headers })).status, 200);
      assert.equal((await fetch(`${url}/v1/models`)).status, 401);
      assert.equal((await fetch(`${url}/health`)).status, 200);
      const [, pid] = await written(server, /model_loaded .*process=(\d+)/);
      if (process.platform === "linux") {
        for (const file of ["cmdline", "environ"]) {
          assert.doesNotMatch(readFileSync(`/proc/${pid}/${file}`, "utf8"), new RegExp(key), file);
        }
      }
      end(server, "SIGTERM");
      assert.equal(await server.exit, 0);
      assert.doesNotMatch(server.stderr(), new RegExp(key));
    } finally {
      if (thisMachine.isRunning(server.child.pid!)) end(server, "SIGKILL");
    }
  });
});

// @row model-api > Options > `--model`
// @row model-api > Service > Rule 2: the startup default is preloaded
// @row model-api > Model list entry > A path that is served has a conservative profile
test("the model API server serves a folder that is not in the store", () =>
  withFolder(async (folder) => {
    const model = join(folder, "My Model");
    mkdirSync(model);
    writeModel(model, onnxChatModel());
    await withApiProcess({ models: [], args: [`--model=${model}`] }, async (server) => {
      const [, { id, owned_by: owner, limit }] = (await server.get("/v1/models")).data;
      assert.deepEqual([id, owner, limit.context], ["my-model", "svc", 4096]);
      assert.equal(await textOf(await server.post("/v1/chat/completions", chat("hi"))), GREETING);
      assert.equal((await server.get("/runtime/status")).defaultModel, "my-model");
    });
  }));

// @row model-api > Options > `--engine`
test("the model API server refuses at its start what it could not do, in one sentence", () =>
  withFolder(async (home) => {
    await installTinyModels(home, ["tiny-chat"]);
    const server = startApiProcess(home, ["--lora=a.gguf"]);
    const store = openModelStore(join(home, "models"));
    const refusals: [StartupChoice & RunRecordFolders, RegExp][] = [
      [{ model: "none" }, /Cannot serve none: no installed model or file has this name, see svc model list$/],
      [
        { model: "tiny-chat", engine: "gguf-text" },
        /Cannot serve tiny-chat with gguf-text: its engine is onnx-text/,
      ],
      [{ engine: "gguf-text", lora: "a.gguf" }, /Cannot use `lora`: no model is named with `model`/],
      [{ imageRunRecords: join(home, "models", "tiny-chat", "svc-model.json") }, /, expected a writable folder/],
    ];
    for (const [choice, sentence] of refusals) {
      const start = async () => [await chooseStartupModel(store, choice), await openRunRecords(choice)];
      await assert.rejects(
        start,
        (error) => error instanceof UsageError && sentence.test(error.message),
        `${sentence}`,
      );
    }
    assert.equal(await server.exit, 2);
    const sentence = /^svc: Cannot use --lora: the engine of tiny-chat is onnx-text, expected a gguf-text model.*\n$/;
    assert.match(server.stderr(), sentence);
  }));

// @row model-api > Options > `--kv-quant-scheme` polar with `--kv-bits` 2
test("the model API server keeps prompts in 2 bits where the engine can, and refuses where it cannot", async () => {
  const args = ["--model=tiny-chat", "--kv-quant-scheme=polar", "--kv-bits=2"];
  await withApiProcess({ models: ["tiny-chat", "tiny-gguf"], args }, async ({ home, get, post }) => {
    for (const hits of [0, 1]) {
      assert.equal((await post("/v1/chat/completions", chat("hi"))).status, 200);
      assert.equal((await get("/runtime/status")).cacheStats.prefixKVReuse.hits, hits);
    }
    await assert.rejects(
      chooseStartupModel(openModelStore(join(home, "models")), { model: "tiny-gguf", packedKv: true }),
      /Cannot use `packedKv`: the engine of tiny-gguf does not support it, expected an onnx-text model/,
    );
  });
});

test("the model API server says that its port is taken before it loads a model", () =>
  withApiProcess({ models: ["tiny-chat"] }, async ({ home, url }) => {
    const other = join(home, "other"); // shares no permits with the first
    await installTinyModels(other, ["tiny-chat"]);
    const second = startApiProcess(other, [`--port=${new URL(url).port}`]);
    assert.equal(await second.exit, 1);
    assert.match(
      second.stderr(),
      /^svc: Cannot listen on .*: the port is in use, choose another with --port or 0 for any\n$/,
    );
  }));

// @row model-api > Options > `--image-run-records` and `--transcription-run-records`
// @row model-api > Service > Rule 4: `svc records list` reads the folders of records
test("the model API server makes the folders of run records, which svc records list reads", () =>
  withFolder(async (folder) => {
    const records = join(folder, "records", "images");
    await withApiProcess({ models: [], args: [`--image-run-records=${records}`] }, async ({ home }) => {
      assert.equal(statSync(records).mode & 0o777, 0o700);
      const listed = await runSvc(home, ["records", "list", "--root", records, "--json"]);
      assert.equal(listed.status, 0, listed.stderr);
      const { result } = JSON.parse(listed.stdout);
      assert.deepEqual(result, { root: records, scanned_directory_count: 1, entry_count: 0, entries: [] });
      const missing = await runSvc(home, ["records", "list", "--root", join(folder, "none")]);
      assert.deepEqual([missing.status, missing.stdout], [2, ""]);
      assert.match(
        missing.stderr,
        /^svc: Cannot list the records in .*none: there is no such folder, expected a folder/,
      );
      const unnamed = await runSvc(home, ["records", "list"]);
      assert.match(unnamed.stderr, /^svc: Cannot run svc records list: --root is missing, expected --root DIR\n$/);
    });
  }));

// @row model-api > Service > Rule 3: machine-wide permits, two for a standard server, all for a very large engine
test("the model API server waits for its permits, names their holder, and can be stopped meanwhile", () =>
  withFolder(async (home) => {
    const folder = join(home, "admission");
    mkdirSync(folder);
    const ticket = join(folder, "other.json");
    writeFileSync(
      ticket,
      JSON.stringify({
        id: "other",
        processID: process.pid,
        bootID: await readBootID(),
        label: "another server",
        resourceClass: "large",
        permits: 6,
        number: 1,
        queuedAt: "2026-01-01T00:00:00.000Z",
        admittedAt: "2026-01-01T00:00:00.000Z",
      }),
    );
    const described = new RegExp(`^svc: Waiting for another server \\(process ${process.pid}\\)`, "m");
    const [first, second] = [startApiProcess(home, []), startApiProcess(home, [])];
    try {
      await Promise.all([written(first, described), written(second, described)]);
      end(second, "SIGTERM");
      assert.equal(await second.exit, 0);
      rmSync(ticket);
      const { url } = JSON.parse(await first.line);
      assert.equal((await fetch(`${url}/health`)).status, 200);
      end(first, "SIGTERM");
      assert.equal(await first.exit, 0);
    } finally {
      for (const server of [first, second]) if (thisMachine.isRunning(server.child.pid!)) end(server, "SIGKILL");
    }
  }));

// @row model-api > Rules of every route > SIGTERM finishes open answers
test("a stream is finished after SIGTERM, nothing new is taken, and no engine is left", () =>
  withApiProcess({ models: ["tiny-chat"] }, async (server) => {
    const [, engine] = await written(server, /model_loaded .*process=(\d+)/);
    const body = chat("go on forever", { stream: true, max_completion_tokens: 500 });
    const response = await server.post("/v1/chat/completions", body);
    const frames: string[] = [];
    for await (const { data } of readServerSentEvents(response.body!)) {
      if (frames.push(data) === 2) end(server, "SIGTERM");
    }
    assert.equal(frames.at(-1), "[DONE]");
    assert.equal(await server.exit, 0);
    assert.equal(thisMachine.isRunning(Number(engine)), false);
    await assert.rejects(fetch(`${server.url}/health`));
  }));

// @row model-api > Engine behavior > Engines are killable processes
test("a killed engine fails its chat with a clear error, and the next one works", () =>
  withApiProcess({ models: ["tiny-chat"] }, async (server) => {
    const [, engine] = await written(server, /model_loaded .*process=(\d+)/);
    const body = chat("go on forever", { stream: true, max_completion_tokens: 4000 });
    const response = await server.post("/v1/chat/completions", body);
    const frames: string[] = [];
    for await (const { data } of readServerSentEvents(response.body!)) {
      if (frames.push(data) === 2) process.kill(Number(engine), "SIGKILL");
    }
    const { error } = JSON.parse(frames.at(-1)!);
    assert.deepEqual([error.type, error.code], ["server_error", "engine_crashed"]);
    assert.match(error.message, /^Cannot /);
    assert.equal(await textOf(await server.post("/v1/chat/completions", chat("hi"))), GREETING);
    const [{ loaded, ready }] = (await server.get("/runtime/status")).models;
    assert.deepEqual([loaded, ready], [true, true]);
  }));

test("an engine ends with its server, even when that is killed while it listens to the engine", () =>
  withApiProcess({ models: ["tiny-chat"] }, async (server) => {
    const [, engine] = await written(server, /model_loaded .*process=(\d+)/);
    const body = chat("go on forever", { stream: true, max_completion_tokens: 4000 });
    const reader = (await server.post("/v1/chat/completions", body)).body!.getReader();
    for (let i = 0; i < 20; i++) await reader.read();
    end(server, "SIGKILL");
    await server.exit;
    await reader.cancel().catch(() => {});
    while (thisMachine.isRunning(Number(engine))) await new Promise((resolve) => setTimeout(resolve, 10));
  }));

test("a second signal ends the server at once", () =>
  withApiProcess({ models: ["tiny-chat"] }, async (server) => {
    const body = chat("go on forever", { stream: true, max_completion_tokens: 4000 });
    const response = await server.post("/v1/chat/completions", body);
    const reader = response.body!.getReader();
    await reader.read();
    end(server, "SIGTERM");
    await assert.rejects(async () => {
      for (;;) await fetch(`${server.url}/health`); // until it takes no more
    });
    end(server, "SIGTERM");
    assert.equal(await server.exit, 143);
    await reader.cancel().catch(() => {});
  }));
