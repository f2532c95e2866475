import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { vulkanDrivers } from "../../lib/platform/machine/vulkan_driver.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-vulkan-"));
after(() => rmSync(folder, { recursive: true }));
const manifest = join(folder, "share/vulkan/icd.d/test_icd.json");
mkdirSync(join(folder, "share/vulkan/icd.d"), { recursive: true });
writeFileSync(manifest, "{}");

const software = join(folder, "software/vulkan/icd.d/lvp_icd.x86_64.json");
mkdirSync(join(folder, "software/vulkan/icd.d"), { recursive: true });
writeFileSync(software, "{}");
const swiftShader = join(folder, "vk_swiftshader_icd.json");
writeFileSync(swiftShader, "{}");

test("vulkanDrivers() finds a manifest that a variable names", () => {
  assert.equal(vulkanDrivers("linux", { VK_DRIVER_FILES: `/nowhere.json:${manifest}` }, folder), "gpu");
  assert.equal(vulkanDrivers("linux", { VK_ICD_FILENAMES: manifest }, folder), "gpu");
  assert.equal(vulkanDrivers("linux", { VK_DRIVER_FILES: "/nowhere.json" }, folder), "none");
});

test("vulkanDrivers() finds a manifest in a data folder", () => {
  const nowhere = { XDG_DATA_HOME: folder, XDG_CONFIG_DIRS: folder };
  assert.equal(vulkanDrivers("linux", { ...nowhere, XDG_DATA_DIRS: join(folder, "share") }, folder), "gpu");
  const own = { ...nowhere, XDG_DATA_HOME: join(folder, "share"), XDG_DATA_DIRS: folder };
  assert.equal(vulkanDrivers("linux", own, folder), "gpu");
});

test("vulkanDrivers() distinguishes drivers that compute on the CPU from those of GPUs", () => {
  const nowhere = { XDG_DATA_HOME: folder, XDG_CONFIG_DIRS: folder };
  const shares = (...names: string[]) => ({ XDG_DATA_DIRS: names.map((name) => join(folder, name)).join(":") });
  assert.equal(vulkanDrivers("linux", { VK_DRIVER_FILES: swiftShader }, folder), "software");
  assert.equal(
    vulkanDrivers("linux", { ...nowhere, VK_ADD_DRIVER_FILES: `${swiftShader}:${manifest}` }, folder),
    "gpu",
  );
  assert.equal(vulkanDrivers("linux", { ...nowhere, ...shares("software") }, folder), "software");
  assert.equal(vulkanDrivers("linux", { ...nowhere, ...shares("software", "share") }, folder), "gpu");
  // What is chosen takes the place of what would be found.
  const chosen = { VK_DRIVER_FILES: software, ...shares("share") };
  assert.equal(vulkanDrivers("linux", chosen, folder), "software");
});

test("vulkanDrivers() does not count Mesa's drivers of GPUs on a machine without one", () => {
  const mesa = join(folder, "mesa");
  const drivers = join(mesa, "share/vulkan/icd.d");
  mkdirSync(drivers, { recursive: true });
  for (const name of ["intel_icd.x86_64.json", "radeon_icd.x86_64.json"]) writeFileSync(join(drivers, name), "{}");
  const env = { XDG_DATA_HOME: mesa, XDG_CONFIG_DIRS: mesa, XDG_DATA_DIRS: join(mesa, "share") };
  const nodes = join(folder, "dri");
  assert.equal(vulkanDrivers("linux", env, mesa, nodes), "none");
  writeFileSync(join(drivers, "lvp_icd.x86_64.json"), "{}");
  assert.equal(vulkanDrivers("linux", env, mesa, nodes), "software");
  mkdirSync(nodes);
  writeFileSync(join(nodes, "card0"), "");
  assert.equal(vulkanDrivers("linux", env, mesa, nodes), "software");
  writeFileSync(join(nodes, "renderD128"), "");
  assert.equal(vulkanDrivers("linux", env, mesa, nodes), "gpu");
});

test("vulkanDrivers() asks nothing of systems other than Linux", () => {
  assert.equal(vulkanDrivers("darwin", {}, folder), "gpu");
  assert.equal(vulkanDrivers("win32", {}, folder), "gpu");
});
