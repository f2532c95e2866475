import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { loadFleet } from "../../servers/load_fleet.ts";

const OWN = new URL("../../fleet/mod.ts", import.meta.url).href;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "svc-load-fleet-"));
});
after(() => rm(folder, { recursive: true, force: true }));

/** A project with the package installed; returns a module of the SDK in it. */
async function project(name: string, version?: string, code = ""): Promise<string> {
  const modules = join(folder, name, "node_modules/@svc");
  await mkdir(join(modules, "sdk/dist/servers"), { recursive: true });
  if (version !== undefined) {
    await mkdir(join(modules, "fleet/fleet"), { recursive: true });
    await writeFile(
      join(modules, "fleet/package.json"),
      JSON.stringify({ name: "@svc/fleet", version, type: "module" }),
    );
    await writeFile(join(modules, "fleet/fleet/mod.js"), code);
  }
  return pathToFileURL(join(modules, "sdk/dist/servers/load_fleet.js")).href;
}

test("a clone has the fleet beside its servers", async () => {
  const { commands } = await loadFleet("join a fleet");
  assert.equal(typeof await commands["cluster init"](), "function");
});

test("an installed fleet of the SDK's version is loaded", async () => {
  const base = await project("same", VERSION, `export { fleet } from ${JSON.stringify(OWN)};`);
  assert.equal(await loadFleet("join a fleet", base), await loadFleet("join a fleet"));
});

test("a fleet that is missing, of another version, of another SDK or broken is named with what to install", async () => {
  const install = `run npm install @svc/fleet@${VERSION}`;
  const other = "export const fleet = { SvcError: class SvcError extends Error {} };";
  const bad: [base: string, reason: RegExp][] = [
    [await project("missing"), /^Error: Cannot join a fleet: .* not installed, /],
    [await project("newer", "99.0.0", "throw 1"), /^Error: Cannot join a fleet: @svc\/fleet 99\.0\.0 is installed, /],
    [await project("copy", VERSION, other), /^Error: Cannot join a fleet: .* another copy of @svc\/sdk, /],
    [
      await project("broken", VERSION, 'import "no-such-package";'),
      /^Error: Cannot join a fleet: .* cannot be loaded /,
    ],
  ];
  for (const [base, reason] of bad) {
    await assert.rejects(loadFleet("join a fleet", base), (error: Error) => {
      assert.match(String(error), reason);
      assert.ok(error.message.endsWith(install), error.message);
      return true;
    });
  }
});
