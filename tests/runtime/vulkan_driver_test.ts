import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { hasVulkanDriver } from "../../lib/runtime/vulkan_driver.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-vulkan-"));
after(() => rmSync(folder, { recursive: true }));
const manifest = join(folder, "share/vulkan/icd.d/test_icd.json");
mkdirSync(join(folder, "share/vulkan/icd.d"), { recursive: true });
writeFileSync(manifest, "{}");

test("hasVulkanDriver() finds a manifest that a variable names", () => {
  assert.ok(hasVulkanDriver("linux", { VK_DRIVER_FILES: `/nowhere.json:${manifest}` }, folder));
  assert.ok(hasVulkanDriver("linux", { VK_ICD_FILENAMES: manifest }, folder));
});

test("hasVulkanDriver() finds a manifest in a data folder", () => {
  assert.ok(hasVulkanDriver("linux", { XDG_DATA_DIRS: join(folder, "share") }, folder));
  assert.ok(hasVulkanDriver("linux", { XDG_DATA_HOME: join(folder, "share"), XDG_DATA_DIRS: folder }, folder));
});

test("hasVulkanDriver() asks nothing of systems other than Linux", () => {
  assert.ok(hasVulkanDriver("darwin", {}, folder));
  assert.ok(hasVulkanDriver("win32", {}, folder));
});
