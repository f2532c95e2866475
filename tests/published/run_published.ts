import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { stagePackages } from "../../scripts/packages/stage_packages.mjs";
import { runtimeFolders } from "../../scripts/packages/stage_runtimes.mjs";
import { startNats, withoutNats } from "../support/nats_server.ts";
import { ROOT } from "../support/server_process.ts";
import { installTinyModels } from "../support/tiny_store.ts";
import { linkDependencies, linkTree } from "./empty_project.ts";
import { type JsrStandIn, startJsrStandIn } from "./jsr_stand_in.ts";
import { checkSizes, type PackageSize } from "./package_sizes.ts";
import { writeJsrForNode } from "./jsr_for_node.ts";

const DENO = join(ROOT, "node_modules/deno/bin.cjs");
const { version, exports: entryPoints } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const fleet = JSON.parse(readFileSync(join(ROOT, "packages/fleet/package.json"), "utf8"));

/** What the program of a user prints, on every runtime and from every registry. */
const EXPECTED = {
  frames: 9,
  replayed: true,
  chat: "Hello! I am a tiny model, and I say what my script says.",
  constrained: '{"n":7}',
  findings: 4,
  same: true,
  phase: "cold",
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), "svc-published-")));
const staged = join(folder, "packages");
const [onDeno, onNode, jsrOnNode, withFleet] = ["deno", "node", "jsr-on-node", "with-fleet"]
  .map((name) => join(folder, name));
const sizes: PackageSize[] = [];
let registry: JsrStandIn;

/** The package of ONNX Runtime for this platform, by its folder. */
const RUNTIME = `onnxruntime-${process.platform}-${process.arch}`;

/** Runs a program to its end; rejects with what it wrote when it fails. */
function run(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const settings = {
    cwd,
    env: { ...process.env, NO_COLOR: "1", SVC_API_KEY: "", SVC_HOME: join(cwd, "home"), ...env },
    maxBuffer: 1 << 26,
  };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...args], settings, (error, stdout, stderr) => {
      if (error) reject(new Error(`${args.join(" ")}: ${error.message}\n${stdout}\n${stderr}\nStatus ${error.code}`));
      else resolve(stdout);
    });
  });
}

/** Runs npm: its command is a batch file on Windows, so its program is looked for. */
function npm(args: readonly string[], cwd: string): Promise<string> {
  const places = [join(process.execPath, "../../lib"), join(process.execPath, "..")];
  const found = places.map((place) => join(place, "node_modules/npm/bin/npm-cli.js")).find(existsSync);
  return run([process.env.npm_execpath ?? found!, ...args], cwd);
}

/** Runs Deno with the stand-in as its registry, and with an empty cache at first. */
function deno(args: readonly string[], cwd: string): Promise<string> {
  const cache = { DENO_DIR: join(folder, "deno-cache"), DENO_NO_UPDATE_CHECK: "1" };
  return run([DENO, ...args], cwd, { ...cache, JSR_URL: registry.url });
}

// Types are checked by the step `check`, and again by the release: for the SDK that takes a minute.
const publish = (cwd: string) =>
  deno(["publish", "--token", "none", "--allow-dirty", "--no-check", "--quiet"], cwd).then(() => {});

/** Packs a package as npm publishes it, and installs it into a project. */
async function pack(source: string, projects: readonly string[]): Promise<void> {
  const printed = JSON.parse(await npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], source));
  // npm 12 prints an object keyed by package name where earlier versions print an array.
  const [{ name, filename, size, unpackedSize, entryCount }] = Array.isArray(printed)
    ? printed
    : Object.values(printed);
  sizes.push({ name, registry: "npm", bytes: unpackedSize, files: entryCount, packed: size });
  for (const project of projects) {
    const target = join(project, "node_modules", name);
    mkdirSync(target, { recursive: true });
    await new Promise<void>((resolve, reject) =>
      execFile(
        "tar",
        ["-xzf", join(folder, filename), "-C", target, "--strip-components=1"],
        (error) => error ? reject(error) : resolve(),
      )
    );
  }
}

before(async () => {
  registry = await startJsrStandIn();
  const names = stagePackages(staged);
  const sdk = JSON.parse(readFileSync(join(staged, "npm/sdk/package.json"), "utf8"));
  const fromNpm = [...Object.keys(sdk.dependencies), "onnxruntime-common"];
  for (const project of [onDeno, onNode, jsrOnNode, withFleet]) {
    mkdirSync(project, { recursive: true });
    linkDependencies(project, [onNode, withFleet].includes(project) ? fromNpm : undefined);
    cpSync(join(ROOT, "tests/published/program.js.txt"), join(project, "program.js"));
    await installTinyModels(join(project, "home"), ["tiny-chat"]);
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  }
  for (const project of [onDeno, withFleet]) linkDependencies(project, Object.keys(fleet.dependencies));
  await publish(ROOT);
  for (const name of names) await publish(join(staged, "jsr", name));
  for (const [name, { files }] of registry.packages) {
    const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    sizes.push({ name: `@svc/${name}`, registry: "JSR", bytes, files: files.size });
  }
  await pack(join(staged, "npm/sdk"), [onNode, withFleet]);
  await pack(join(staged, "npm", RUNTIME), [onNode, withFleet]);
  const bin = join(onNode, "node_modules/.bin");
  mkdirSync(bin);
  symlinkSync("../@svc/sdk/dist/cli/main.js", join(bin, "svc"));
  for (const name of names) {
    const own = name === "client" || name === "manifest";
    await pack(join(staged, "npm", name), own ? [onNode, jsrOnNode] : name === "fleet" ? [withFleet] : []);
  }
  const imports = Object.fromEntries(["sdk", "client", "manifest"].map((name) => [`@svc/${name}`, `jsr:@svc/${name}`]));
  const configuration = { nodeModulesDir: "manual", imports: { ...imports, "@svc/sdk/": "jsr:/@svc/sdk/" } };
  writeFileSync(join(onDeno, "deno.json"), JSON.stringify(configuration));
});

after(async () => {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

test("every package is as large as docs/packages.md says, and within its budget", async () => {
  await checkSizes(sizes, onNode);
});

test("npm installs ONNX Runtime for its platform alone, from a package without scripts", () => {
  const manifest = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const sdk = manifest(join(onNode, "node_modules/@svc/sdk"));
  assert.equal(sdk.dependencies["onnxruntime-node"], undefined);
  assert.deepEqual(sdk.peerDependenciesMeta["onnxruntime-node"], { optional: true });
  assert.deepEqual(Object.keys(sdk.optionalDependencies).sort(), runtimeFolders().map((name) => `@svc/${name}`).sort());
  assert.ok(!existsSync(join(onNode, "node_modules/onnxruntime-node")));
  for (const folder of runtimeFolders()) {
    const [, os, cpu] = folder.split("-");
    const target = join(staged, "npm", folder);
    const { name, version, scripts, ...fields } = manifest(target);
    assert.equal(sdk.optionalDependencies[name], version);
    assert.equal(scripts, undefined);
    assert.deepEqual([fields.os, fields.cpu], [[os], [cpu]]);
    assert.deepEqual(readdirSync(join(target, "bin/napi-v6")), [os]);
    assert.deepEqual(readdirSync(join(target, "bin/napi-v6", os)), [cpu]);
    for (const file of ["LICENSE", "README.md", "THIRD_PARTY_NOTICES.md"]) assert.ok(existsSync(join(target, file)));
  }
});

test("every package has its licence and the notices of third parties", () => {
  for (const [name, { files }] of registry.packages) {
    for (const file of ["LICENSE", "THIRD_PARTY_NOTICES.md"]) {
      assert.ok(files.has(file), `${name} on JSR has no ${file}`);
    }
    const npm = name === "sdk" ? join(onNode, "node_modules/@svc/sdk") : join(staged, "npm", name);
    for (const file of ["LICENSE", "THIRD_PARTY_NOTICES.md"]) {
      assert.ok(existsSync(join(npm, file)), `${name}: ${file}`);
    }
  }
});

test("@svc/client and @svc/manifest import nothing", () => {
  for (const name of ["client", "manifest"]) {
    for (const [path, content] of registry.packages.get(name)!.files) {
      if (/\.[jt]s$/.test(path)) assert.doesNotMatch(new TextDecoder().decode(content), /from "(npm|jsr|node):/, path);
    }
    const { dependencies } = JSON.parse(readFileSync(join(staged, "npm", name, "package.json"), "utf8"));
    assert.equal(dependencies, undefined);
    assert.doesNotMatch(readFileSync(join(staged, "npm", name, "mod.js"), "utf8"), /^import /m);
  }
});

test("the JSR form runs on Deno from a server, and without it after the first time", async () => {
  const program = ["run", "-A", "--quiet", "program.js"];
  assert.deepEqual(JSON.parse(await deno(program, onDeno)), EXPECTED);
  const weights = registry.asked.filter((path) => path.startsWith("/@svc/world-corridor/"));
  assert.equal(new Set(weights).size, weights.length, "a file of the world was fetched twice");
  assert.ok(weights.length > 4);

  const cli = (...args: string[]) => deno(["run", "-A", "--quiet", "jsr:@svc/sdk/cli", ...args], onDeno);
  assert.match(await cli("--version"), new RegExp(version));
  registry.setOnline(false);
  try {
    assert.deepEqual(JSON.parse(await deno(program, onDeno)), EXPECTED);
    await cli("world", "walk", "w", "-o", "walk.mp4");
    assert.equal(readFileSync(join(onDeno, "walk.mp4")).toString("latin1", 4, 8), "ftyp");
  } finally {
    registry.setOnline(true);
  }
});

test("the npm form runs on Node and on Deno, with the world that it brings", async () => {
  registry.setOnline(false);
  try {
    assert.deepEqual(JSON.parse(await run(["program.js"], onNode, { SVC_PACKAGES_URL: registry.url })), EXPECTED);
  } finally {
    registry.setOnline(true);
  }
  writeFileSync(join(onNode, "deno.json"), '{ "nodeModulesDir": "manual" }');
  assert.deepEqual(JSON.parse(await deno(["run", "-A", "--quiet", "program.js"], onNode)), EXPECTED);
});

test("the JSR form runs on Node, where it has the modules that entry points reach", async () => {
  writeJsrForNode(registry.packages.get("sdk")!.files, join(jsrOnNode, "node_modules/@svc/sdk"));
  assert.deepEqual(JSON.parse(await run(["program.js"], jsrOnNode, { SVC_PACKAGES_URL: registry.url })), EXPECTED);
});

test("npx runs the command line tool, which fetches a model once and says where to get one without a network", async () => {
  process.env.SVC_PACKAGES_URL = registry.url;
  const svc = (...args: string[]) => npm(["exec", "--offline", "--", "@svc/sdk", ...args], onNode);
  assert.match(await svc("--version"), new RegExp(version));
  registry.setOnline(false);
  await assert.rejects(svc("world", "serve", "--backend", "actionworld"), (error: Error) => {
    assert.match(error.message, /Cannot fetch http\S+: .+; .+ run npm install @svc\/world-corridor-actions@/);
    return true;
  });
  registry.setOnline(true);
  await svc("image", "a blue corridor", "-o", "corridor.png", "--size", "192x128", "--seed", "1");
  assert.equal(readFileSync(join(onNode, "corridor.png")).toString("latin1", 1, 4), "PNG");
});

/** Where nothing listens. */
const NOWHERE = "nats://127.0.0.1:1";

test("svc lists the commands of a fleet without its package, and says how to install that", async () => {
  const svc = (...args: string[]) => run(["node_modules/@svc/sdk/dist/cli/main.js", ...args], onNode);
  assert.match(await svc("cluster", "--help"), /^ {2}init {5}set up a new fleet$/m);
  for (const args of [["cluster", "status"], ["gateway", "serve"], ["world", "serve"]]) {
    await assert.rejects(svc(...args, "--join", NOWHERE), (error: Error) => {
      assert.match(error.message, new RegExp(`^svc: Cannot .+, run npm install @svc/fleet@${version}$`, "m"));
      return true;
    });
  }
});

/** A fleet where svc was installed with its package: it uses the classes and the modules of that one SDK. */
async function checkFleet(svc: (...args: string[]) => Promise<string>): Promise<void> {
  assert.match(await svc("cluster", "init", "--help"), /--broker-config DIR/);
  // Status 2 is that of the SDK's own UsageError.
  await assert.rejects(
    svc("cluster", "drain", "--join", NOWHERE),
    /^svc: .+ expected the name of a worker\n+Status 2$/m,
  );
  for (const args of [["cluster", "status"], ["gateway", "serve"], ["world", "serve"]]) {
    await assert.rejects(
      svc(...args, "--join", NOWHERE),
      /^svc: Cannot join the fleet at nats:\/\/127\.0\.0\.1:1: .+, expected a NATS server/m,
    );
  }
}

test("the npm form of the fleet runs beside that of the SDK, on Node and on Deno", async () => {
  const main = "node_modules/@svc/sdk/dist/cli/main.js";
  await checkFleet((...args) => run([main, ...args], withFleet));
  writeFileSync(join(withFleet, "deno.json"), '{ "nodeModulesDir": "manual" }');
  await checkFleet((...args) => deno(["run", "-A", "--quiet", main, ...args], withFleet));
});

test("the JSR form of the fleet is fetched from where the SDK is from", async () => {
  await checkFleet((...args) => deno(["run", "-A", "--quiet", "jsr:@svc/sdk/cli", ...args], onDeno));
});

test("a published worker joins a fleet", { skip: withoutNats }, async () => {
  const nats = await startNats();
  const svc = (...args: string[]) => run(["node_modules/@svc/sdk/dist/cli/main.js", ...args], withFleet);
  const join = ["--join", nats.url];
  let worker: ChildProcess | undefined;
  try {
    await svc("cluster", "init", ...join);
    const args = ["world", "serve", ...join, "--port", "0", "--json", "--device", "cpu", "--name", "published"];
    worker = spawn(process.execPath, ["node_modules/@svc/sdk/dist/cli/main.js", ...args], {
      cwd: withFleet,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(worker.stdout!, "data");
    assert.equal(JSON.parse(String(line)).event, "listening");
    assert.match(await svc("cluster", "status", ...join), /^published {2}pool default {2}0\/4 slots/m);
  } finally {
    const ended = worker && once(worker, "exit");
    worker?.kill();
    await ended;
    await nats.stop();
  }
});

test("every entry point is imported, and its declarations resolve for both kinds of module resolution", async () => {
  const isPublic = (path: string) => !path.includes("*");
  const entries = Object.keys(entryPoints).filter(isPublic).map((path) => path.replace(/^\./, "@svc/sdk"));
  const all = [...entries, "@svc/client", "@svc/manifest"];
  await run(["--input-type=module", "-e", all.map((entry) => `await import("${entry}");`).join("")], onNode);
  writeFileSync(
    join(onNode, "types.mts"),
    `${all.map((entry, i) => `import type * as m${i} from "${entry}";`).join("\n")}
export type Loaded = [${all.map((_, i) => `typeof m${i}`).join(", ")}];
import { openWorld, type World } from "@svc/sdk";
export const world: Promise<World> = openWorld({ seed: 1n });
`,
  );
  linkTree(join(ROOT, "node_modules/@types/node"), join(onNode, "node_modules/@types/node"));
  linkTree(join(ROOT, "node_modules/undici-types"), join(onNode, "node_modules/undici-types"));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = "--ignoreConfig --noEmit --strict --skipLibCheck --target es2023 --lib esnext,dom --types node";
  for (const [module, resolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
    await run([tsc, ...options.split(" "), "--module", module, "--moduleResolution", resolution, "types.mts"], onNode);
  }
});
