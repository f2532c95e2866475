import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fetchPackage, findFetched, keptFolder, packageUrl } from "../../../lib/app/embedded/fetch_package.ts";
import { modelPackages } from "../../../lib/app/embedded/generated.ts";
import type { ModelPackage } from "../../../lib/app/embedded/model_package.ts";
import { modelsModule } from "../../../scripts/generate_models.mjs";
import { withFolder } from "../../support/temporary_folder.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const CONTENT: Record<string, string> = { "config.json": "{}", "base/weights.bin": "weights ".repeat(1000) };
const model: ModelPackage = {
  name: "@svc/test-model",
  version: "1.2.3",
  sha256: sha256("list"),
  files: Object.entries(CONTENT).map(([path, text]) => ({ path, bytes: text.length, sha256: sha256(text) })),
};

/** A registry that answers as told, in a home of its own; `asked` has the paths of all requests. */
async function withRegistry(
  answer: (path: string, asked: readonly string[]) => { status?: number; body: string | Uint8Array; cut?: boolean },
  work: (module: string, asked: string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.replace("/@svc/test-model/1.2.3/", "");
    asked.push(path);
    const { status = 200, body, cut } = answer(path, asked);
    response.writeHead(status, { "content-length": body.length });
    if (cut) response.write(body.slice(0, 10), () => response.socket?.destroy());
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = process.env.SVC_HOME;
  try {
    await withFolder(async (home) => {
      process.env.SVC_HOME = home;
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/@svc/sdk/0.1.0/lib/x.ts`, asked);
    });
  } finally {
    if (before === undefined) delete process.env.SVC_HOME;
    else process.env.SVC_HOME = before;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("the list of packages is that of packages/ and models/", () => {
  const file = new URL("../../../lib/app/embedded/generated.ts", import.meta.url);
  assert.equal(readFileSync(file, "utf8"), modelsModule(), "run deno task generate");
  for (const [id, { name, files }] of Object.entries(modelPackages)) {
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    assert.ok(bytes < 18e6, `${name} has ${bytes} bytes of ${id}`);
  }
});

test("a package is fetched once, whole, and one that was damaged is fetched again", () =>
  withRegistry((path) => ({ body: CONTENT[path] }), async (module, asked) => {
    assert.equal(await findFetched(model), undefined);
    const [folder, same] = await Promise.all([1, 2].map(() => fetchPackage("test", model, module)));
    assert.deepEqual([folder, same], [keptFolder(model), keptFolder(model)]);
    assert.equal(readFileSync(join(folder, "base/weights.bin"), "utf8"), CONTENT["base/weights.bin"]);
    assert.equal(await findFetched(model), folder);
    assert.deepEqual(readdirSync(join(folder, "..")), [folder.slice(folder.lastIndexOf("/") + 1)]);
    writeFileSync(join(folder, "base/weights.bin"), CONTENT["base/weights.bin"].toUpperCase());
    assert.equal(await findFetched(model), undefined);
    assert.equal(existsSync(folder), false);
    asked.length = 0;
    assert.equal(await fetchPackage("test", model, module), folder);
    assert.deepEqual(asked, Object.keys(CONTENT));
  }));

test("a server that is busy or cuts a connection is asked again", () =>
  withRegistry((path, asked) => {
    const times = asked.filter((one) => one === path).length;
    if (path === "config.json") return times === 1 ? { status: 503, body: "" } : { body: CONTENT[path] };
    return { body: CONTENT[path], cut: times === 1 };
  }, async (module, asked) => {
    assert.ok(existsSync(await fetchPackage("test", model, module)));
    assert.equal(asked.length, 4);
  }));

test("what differs from the published hash, is too long or is not there leaves nothing, and says what to do", () =>
  withRegistry((path) => {
    if (path === "config.json") return { body: CONTENT[path] };
    return answers.shift()!;
  }, async (module) => {
    const remedy = /once test is on this machine no network is needed: run npm install @svc\/test-model@1\.2\.3/;
    for (const code of ["corrupt_download", "corrupt_download", "repository_unavailable"]) {
      await assert.rejects(fetchPackage("test", model, module), (error: Error & { code: string }) => {
        assert.equal(error.code, code);
        assert.match(error.message, remedy);
        return true;
      });
      assert.equal(existsSync(keptFolder(model)), false);
      assert.deepEqual(readdirSync(join(keptFolder(model), "..")), []);
    }
  }));

const answers = [
  { body: CONTENT["base/weights.bin"].toUpperCase() },
  { body: `${CONTENT["base/weights.bin"]}.` },
  { status: 404, body: "" },
];

test("where the repository itself was imported from a server, the autoencoder that it holds once is made", async () => {
  const [held, made] = ["corridor-nano/base/vae.safetensors", "vae/diffusion_pytorch_model.safetensors"];
  const content = readFileSync(new URL(`../../../models/${held}`, import.meta.url));
  const { files, ...published } = modelPackages["corridor-nano-actions"];
  const actions = { ...published, files: files.filter(({ path }) => path === made) };
  await withRegistry(
    (path) => path === `/models/${held}` ? { body: content } : { status: 404, body: "" },
    async (module, asked) => {
      const repository = new URL("/lib/app/embedded/x.ts", module).href;
      const folder = await fetchPackage("corridor-nano-actions", actions, repository);
      assert.equal(await findFetched(actions), folder, "its hash is that of the package");
      assert.deepEqual(asked, [`/models/${held}`]);
    },
  );
});

test("packages come from the registry of the SDK, from a mirror, or from jsr.io", () => {
  const url = (module: string) => packageUrl(model, "models/test", module).href;
  const before = process.env.SVC_PACKAGES_URL;
  try {
    delete process.env.SVC_PACKAGES_URL;
    const path = "@svc/test-model/1.2.3/";
    assert.equal(url("https://jsr.io/@svc/sdk/0.1.0/lib/app/embedded/x.ts"), `https://jsr.io/${path}`);
    assert.equal(url("http://h:1/a/@svc/sdk/0.1.0/lib/app/embedded/x.ts"), `http://h:1/a/${path}`);
    assert.equal(url("file:///p/node_modules/@svc/sdk/dist/lib/app/embedded/x.js"), `https://jsr.io/${path}`);
    assert.equal(url("https://host/svc/main/lib/app/embedded/x.ts"), "https://host/svc/main/models/test/");
    process.env.SVC_PACKAGES_URL = "https://mirror.example/jsr";
    assert.equal(url("https://jsr.io/@svc/sdk/0.1.0/lib/x.ts"), `https://mirror.example/jsr/${path}`);
  } finally {
    if (before === undefined) delete process.env.SVC_PACKAGES_URL;
    else process.env.SVC_PACKAGES_URL = before;
  }
});

test("folders that a process left behind half fetched are removed by the next fetch", () =>
  withRegistry((path) => ({ body: CONTENT[path] }), async (module) => {
    const packages = join(keptFolder(model), "..");
    const dead = `.${2 ** 22 + 7}-${crypto.randomUUID()}`; // above the highest process id there is
    mkdirSync(join(packages, dead), { recursive: true });
    await fetchPackage("test", model, module);
    assert.equal(existsSync(join(packages, dead)), false);
  }));
