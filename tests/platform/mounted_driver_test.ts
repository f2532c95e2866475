import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { offerMountedDriver, unreachableLibraries } from "../../lib/platform/machine/mounted_driver.ts";
import { vulkanManifests } from "../../lib/platform/machine/vulkan_driver.ts";
import { softwareAdapterEnv } from "../../scripts/software_adapter.mjs";
import { programArguments } from "../support/program_arguments.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { copySwiftShader, SECOND_ADAPTER } from "../support/two_adapters.ts";

function mount(folder: string, library = "libGLX_test.so.0"): string {
  const manifests = join(folder, "share/vulkan/icd.d");
  for (const path of [manifests, join(folder, "lib64"), join(folder, "share/glvnd/egl_vendor.d")]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(join(folder, "lib64/libGLX_test.so.0"), "");
  writeFileSync(join(manifests, "test_icd.json"), JSON.stringify({ ICD: { library_path: library } }));
  return join(manifests, "test_icd.json");
}

test("vulkanManifests() finds a driver that is mounted, unless a variable chooses others", async () => {
  await withFolder((folder) => {
    const manifest = mount(folder);
    const nowhere = { XDG_DATA_DIRS: "/nowhere" };
    assert.ok(vulkanManifests(nowhere, undefined, folder).includes(manifest));
    assert.deepEqual(vulkanManifests({ VK_DRIVER_FILES: manifest }, undefined, "/nowhere"), [manifest]);
    assert.deepEqual(vulkanManifests({ VK_DRIVER_FILES: "/nowhere.json" }, undefined, folder), []);
    const offered = { XDG_DATA_DIRS: join(folder, "share") };
    assert.equal(vulkanManifests(offered, undefined, folder).filter((path) => path === manifest).length, 1);
  });
});

test("offerMountedDriver() adds the folder once, after the existing ones, and changes nothing without one", async () => {
  await withFolder((folder) => {
    mount(folder);
    const env: Record<string, string | undefined> = { LD_LIBRARY_PATH: "/mine" };
    for (let i = 0; i < 2; i++) offerMountedDriver(env, folder, "linux");
    assert.deepEqual(env, {
      XDG_DATA_DIRS: `/usr/local/share:/usr/share:${folder}/share`,
      __EGL_VENDOR_LIBRARY_DIRS:
        `/etc/glvnd/egl_vendor.d:/usr/share/glvnd/egl_vendor.d:${folder}/share/glvnd/egl_vendor.d`,
      LD_LIBRARY_PATH: `/mine:${folder}/lib64`,
    });
    const others: Record<string, string | undefined> = {};
    offerMountedDriver(others, join(folder, "nothing"), "linux");
    offerMountedDriver(others, folder, "darwin");
    assert.deepEqual(others, {});
  });
});

test("unreachableLibraries() is the folder of a library that the linker does not find by its name", async () => {
  await withFolder((folder) => {
    mount(folder);
    const libraries = join(folder, "lib64");
    assert.equal(unreachableLibraries(folder, "", "/nowhere"), libraries);
    assert.equal(unreachableLibraries(folder, "/nowhere::/tmp", "/nowhere"), libraries);
    assert.equal(unreachableLibraries(folder, `/nowhere:${libraries}`, "/nowhere"), undefined);
    writeFileSync(join(folder, "cache"), `x\0${libraries}/libGLX_test.so.0\0y`);
    assert.equal(unreachableLibraries(folder, "", join(folder, "cache")), undefined);
    mount(folder, "../../../lib64/libGLX_test.so.0");
    assert.equal(unreachableLibraries(folder, "", "/nowhere"), undefined);
    assert.equal(unreachableLibraries(join(folder, "nothing"), "", "/nowhere"), undefined);
  });
});

test("the Vulkan loader of this runtime uses a driver that is mounted and offered", async (t) => {
  const found = softwareAdapterEnv();
  if (!found.ok) return t.skip(found.reason);
  await withFolder((folder) => {
    copySwiftShader(join(folder, "share/vulkan/icd.d"), found.env.VK_DRIVER_FILES, "nvidia_icd.json");
    const env = { ...process.env, ...found.env.LD_LIBRARY_PATH && { LD_LIBRARY_PATH: found.env.LD_LIBRARY_PATH } };
    const program = fileURLToPath(new URL("../support/name_adapter.ts", import.meta.url));
    // Deno adds its own variables to those of a child, so another program takes them away.
    const without = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"].flatMap((name) => ["-u", name]);
    const names = (...args: string[]): string =>
      execFileSync("env", [...without, process.execPath, ...programArguments(), program, ...args], {
        ...{ env, encoding: "utf8" },
      });
    assert.doesNotMatch(names(), new RegExp(SECOND_ADAPTER));
    assert.match(names(folder), new RegExp(SECOND_ADAPTER));
  });
});
