import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { frontEndCommand } from "../../../cli/open_webui/front_end.ts";
import { webuiEnvironment } from "../../../cli/open_webui/webui_environment.ts";
import { chooseWebuiModels } from "../../../cli/open_webui/webui_models.ts";
import { readQuickstartFlags } from "../../../cli/open_webui/quickstart_flags.ts";
import { thisMachine } from "../../../lib/platform/processes/processes.ts";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";
import { programArguments } from "../../support/program_arguments.ts";
import { runSvc } from "../../support/run_svc.ts";
import { installed } from "../../support/fake_catalog.ts";
import { end, startServer } from "../../support/server_process.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { installTinyModels } from "../../support/tiny_store.ts";

const quickstart = ["open-webui", "quickstart"];

/** A front end that writes down how it was started, and what the server shows to its key. */
const frontEnd = `
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";
const args = process.argv.slice(2);
const headers = { authorization: "Bearer " + process.env.OPENAI_API_KEY };
const response = await fetch(process.env.OPENAI_API_BASE_URL + "/models", { headers });
const { data } = await response.json();
const seen = { args, env: process.env, pid: process.pid, models: data.map(({ id }) => id) };
writeFileSync(process.env.SEEN, JSON.stringify(seen));
const server = createServer((_, response) => response.end("{}"));
server.listen(Number(args[args.indexOf("--port") + 1]), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
`;

/** Puts a program on the path. */
function install(folder: string, name: string, script: string): string {
  const programs = join(folder, "bin");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, `${name}.mjs`), script);
  const words = [process.execPath, ...programArguments(), join(programs, `${name}.mjs`)].map((word) => `'${word}'`);
  writeFileSync(join(programs, name), `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`);
  chmodSync(join(programs, name), 0o755);
  return `${programs}${delimiter}${process.env["PATH"]}`;
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const notOnWindows = { skip: process.platform === "win32" ? "the front end is a shell script" : false };

// @row model-api > Service > Rule 6: `svc open-webui quickstart` starts the server and a chat front end; secrets are in the environment
test(
  "svc open-webui quickstart serves the installed models to the front end, and ends both",
  notOnWindows,
  () =>
    withFolder(async (home) => {
      await installTinyModels(home, ["tiny-chat", "tiny-embed"]);
      const seen = join(home, "seen.json");
      const secret = "a-key-of-more-than-16-characters";
      const password = "a password for the page";
      const PATH = install(home, "open-webui", frontEnd);
      const [port, page] = [await freePort(), await freePort()];
      const args = [...quickstart, "--port", String(port), "--webui-port", String(page)];
      const env = { SVC_HOME: home, SVC_MODELS_DIR: "", PATH, SEEN: seen };
      const secrets = { SVC_API_KEY: secret, SVC_OPEN_WEBUI_ADMIN_PASSWORD: password };
      const running = startServer(args, { ...env, ...secrets }, "cli/main.ts");
      try {
        assert.equal(await running.line, `Open WebUI is at http://127.0.0.1:${page}, press Ctrl+C to stop`);
        const found = JSON.parse(readFileSync(seen, "utf8"));
        assert.deepEqual(found.args, ["serve", "--host", "127.0.0.1", "--port", String(page)]);
        assert.deepEqual(found.models, ["image-corridor-nano", "tiny-chat", "tiny-embed"]);
        const expected = {
          OPENAI_API_BASE_URL: `http://127.0.0.1:${port}/v1`,
          OPENAI_API_KEY: secret,
          DEFAULT_MODELS: "tiny-chat",
          RAG_EMBEDDING_ENGINE: "openai",
          RAG_EMBEDDING_MODEL: "tiny-embed",
          RAG_OPENAI_API_KEY: secret,
          AUDIO_TTS_ENGINE: undefined,
          WEBUI_ADMIN_EMAIL: "admin@localhost",
          WEBUI_ADMIN_PASSWORD: password,
          WEBUI_AUTH: undefined,
          SVC_API_KEY: undefined,
        };
        for (const [name, value] of Object.entries(expected)) assert.equal(found.env[name], value, name);
        assert.equal((await fetch(`http://127.0.0.1:${port}/v1/models`)).status, 401);
        end(running, "SIGINT");
        assert.equal(await running.exit, 0);
        assert.equal(thisMachine.isRunning(found.pid), false);
        assert.doesNotMatch(running.stderr(), new RegExp(`${secret}|${password}`));
      } catch (error) {
        // Processes that are left would keep the run of all tests from ending.
        end(running, "SIGTERM");
        await running.exit;
        throw error;
      }
    }),
);

test("svc open-webui quickstart ends with the front end, and says so", notOnWindows, () =>
  withFolder(async (home) => {
    await installTinyModels(home, ["tiny-chat"]);
    const PATH = install(home, "open-webui", "import process from 'node:process'; process.exit(3);");
    const port = String(await freePort());
    const done = await runSvc(home, [...quickstart, "--port", port], { env: { PATH } });
    assert.deepEqual([done.status, done.stdout], [1, ""]);
    assert.match(done.stderr, /svc: Cannot continue: open-webui ended with status 3\n$/);
  }));

test("svc open-webui quickstart --dry-run shows the plan without its secrets, whatever is missing", () =>
  withFolder(async (home) => {
    const secret = "a-key-of-more-than-16-characters";
    const env = { PATH: "", SVC_API_KEY: secret, SVC_OPEN_WEBUI_ADMIN_PASSWORD: "a password" };
    const json = await runSvc(home, [...quickstart, "--dry-run", "--json", "--pull"], { env });
    assert.equal(json.status, 0, json.stderr);
    const plan = JSON.parse(json.stdout);
    assert.deepEqual(plan.pull, Object.values(plan.models));
    assert.equal(plan.models.text, "qwen3-0.6b");
    assert.deepEqual(plan.problems, [
      "none of open-webui, docker, uvx, pipx is installed, get Open WebUI with pip install open-webui",
    ]);
    assert.equal(plan.front_end.environment.AUDIO_STT_OPENAI_API_KEY, "(secret)");
    // Open WebUI stores MP3 as it comes; the encoder is one of the development packages.
    assert.equal(plan.front_end.environment.AUDIO_TTS_OPENAI_PARAMS, '{"response_format":"mp3"}');
    const text = await runSvc(home, [...quickstart, "--dry-run", "--front-end=docker"], { env });
    assert.match(text.stdout, /^Missing {3}no chat model is installed, use --pull or svc model pull <id>$/m);
    assert.match(text.stdout, /^Run {7}docker run .* -e OPENAI_API_KEY .*open-webui:main$/m);
    assert.match(text.stdout, /^ {2}OPENAI_API_BASE_URL=http:\/\/host\.docker\.internal:8080\/v1$/m);
    for (const { stdout, stderr } of [json, text]) {
      assert.doesNotMatch(stdout + stderr, new RegExp(`${secret}|a password`));
    }
    const real = await runSvc(home, quickstart, { env });
    assert.equal(real.status, 2);
    assert.match(real.stderr, /^svc: Cannot start Open WebUI: no chat model is installed/);
  }));

test("documents are cut into pieces that the embedding model takes, with its prompts where it has any", () => {
  const profile = { kind: "embedding", engine: "onnx-embedding", dimensions: 3 } as const;
  const variables = (context: number | undefined, prompts: string[] = [], contained = false) => {
    const embed = context === undefined ? [] : [installed("embed", "embeddings", { ...profile, context, prompts })];
    const image = installed("image-corridor-nano", "images.generations", {
      kind: "image",
      engine: "flux2-klein",
    } as never);
    const { models, embedding, missing } = chooseWebuiModels([...embed, image], {}, false);
    assert.deepEqual([models.image, missing], [undefined, []]);
    const rest = { baseUrl: "http://h/v1", apiKey: "k", speechFormat: "mp3", admin: undefined, sessionKey: "s" };
    const list = webuiEnvironment({ ...rest, models, embedding, contained });
    return Object.fromEntries(list.map(({ name, value }) => [name, value]));
  };
  const pieces = (found: Record<string, string>) => [found["CHUNK_SIZE"], found["CHUNK_OVERLAP"]];
  assert.deepEqual(pieces(variables(256)), ["384", "38"]);
  assert.deepEqual(pieces(variables(8192)), ["1000", "100"]);
  assert.equal(variables(256)["RAG_EMBEDDING_PREFIX_FIELD_NAME"], undefined);
  const asked = variables(8192, ["query", "document"]);
  const prefixes = ["PREFIX_FIELD_NAME", "QUERY_PREFIX", "CONTENT_PREFIX"].map((end) => asked[`RAG_EMBEDDING_${end}`]);
  assert.deepEqual(prefixes, ["input_type", "query", "document"]);
  const none = variables(undefined);
  assert.deepEqual(
    [none["BYPASS_EMBEDDING_AND_RETRIEVAL"], none["RAG_EMBEDDING_ENGINE"], none["CHUNK_SIZE"]],
    ["true", undefined, undefined],
  );
  assert.equal(none["BYPASS_PYDUB_PREPROCESSING"], "true");
  assert.equal(variables(256, [], true)["BYPASS_PYDUB_PREPROCESSING"], undefined);
  const { stream_options: asks } = JSON.parse(none["DEFAULT_MODEL_PARAMS"]).custom_params;
  assert.equal(asks.include_reasoning, true);
});

test("the embedded image model is used where it is named", () => {
  const image = installed("image-corridor-nano", "images.generations");
  const named = { image: "image-corridor-nano" };
  const { models, missing } = chooseWebuiModels([image], named, false);
  assert.deepEqual([models.image, missing], ["image-corridor-nano", []]);
});

test("command lines of all front ends hold no value of the environment", () => {
  const place = { host: "::1", port: 3000, container: "box", image: "image:main" };
  const line = (program: Parameters<typeof frontEndCommand>[0]) =>
    frontEndCommand(program, place, ["A", "B"]).join(" ");
  assert.equal(line("open-webui"), "open-webui serve --host ::1 --port 3000");
  assert.equal(line("uvx"), "uvx --python 3.11 open-webui@latest serve --host ::1 --port 3000");
  assert.equal(line("pipx"), "pipx run open-webui serve --host ::1 --port 3000");
  assert.equal(
    line("docker"),
    "docker run --rm --name box --add-host host.docker.internal:host-gateway -p [::1]:3000:8080 " +
      "-v box:/app/backend/data -e A -e B image:main",
  );
});

test("the flags of a quickstart refuse what would be open to others", () => {
  const read = (...args: string[]) => readQuickstartFlags(args, {});
  assert.throws(() => read("--webui-host=0.0.0.0"), UsageError);
  assert.throws(() => read("--container-name=-v/:/host"), UsageError);
  assert.throws(() => read("--json"), UsageError);
  assert.equal(read("--help"), undefined);
  assert.equal(read("--webui-host=0.0.0.0", "--admin-password=x")?.admin?.password, "x");
  const env = { SVC_API_KEY: "from the environment", SVC_OPEN_WEBUI_ADMIN_PASSWORD: "too" };
  const given = readQuickstartFlags(["--api-key=mine", "--admin-password=p"], env);
  assert.deepEqual([given?.apiKey, given?.admin?.password], ["mine", "p"]);
  assert.equal(readQuickstartFlags([], env)?.apiKey, "from the environment");
});
