import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  chooseAdapter,
  dawnFlags,
  describeAdapters,
  listAdapters,
  type ListedAdapter,
} from "../../../lib/compute/webgpu/adapters.ts";
import { SECOND_ADAPTER, twoAdaptersEnv } from "../../support/two_adapters.ts";
import { withFolder } from "../../support/temporary_folder.ts";

const gpu = {} as GPU;

function listed(name: string, more: Partial<ListedAdapter> = {}): ListedAdapter {
  return {
    name,
    words: `${name} intel`,
    software: false,
    count: 1,
    source: { name: "dawn", gpu, adapter: name },
    ...more,
  };
}

const cards = [
  listed("NVIDIA GeForce RTX 4070 Ti", { words: "NVIDIA GeForce RTX 4070 Ti nvidia ada" }),
  listed("NVIDIA GeForce RTX 4070", { words: "NVIDIA GeForce RTX 4070 nvidia ada", count: 2 }),
  listed("Intel(R) UHD Graphics 770"),
  listed("llvmpipe (LLVM 19)", { words: "llvmpipe mesa", software: true }),
];

function chosen(wanted: string): string {
  const found = chooseAdapter(wanted, cards);
  return "adapter" in found ? found.adapter.name : found.reason;
}

test("chooseAdapter() takes a number, a whole name or a part of one, in any case", () => {
  assert.equal(chosen("1"), "NVIDIA GeForce RTX 4070 Ti");
  assert.equal(chosen("4"), "llvmpipe (LLVM 19)");
  assert.equal(chosen("nvidia geforce rtx 4070"), "NVIDIA GeForce RTX 4070");
  assert.equal(chosen(" 4070 TI "), "NVIDIA GeForce RTX 4070 Ti");
  assert.equal(chosen("INTEL"), "Intel(R) UHD Graphics 770");
  assert.equal(chosen("770"), "Intel(R) UHD Graphics 770");
});

test("chooseAdapter() lists what there is for names that mean none or several", () => {
  const all = describeAdapters(cards);
  assert.equal(
    all,
    "1 NVIDIA GeForce RTX 4070 Ti, 2 NVIDIA GeForce RTX 4070 (2 of this name, of which Dawn gives the first), " +
      "3 Intel(R) UHD Graphics 770, 4 llvmpipe (LLVM 19) (computes on the CPU)",
  );
  for (const none of ["Radeon", "5", "0", "", " "]) assert.ok(chosen(none).endsWith(all), none);
  assert.match(chosen("4070"), /^2 adapters are "4070", expected /);
  assert.match(chosen("ada"), /^2 adapters /);
  assert.deepEqual(chooseAdapter("1", []), { reason: "WebGPU finds no adapter on this machine" });
});

test("chooseAdapter() refuses a name for which Dawn gives another GPU", () => {
  const hidden = listed("RTX 40", { hiddenBy: "RTX 4090" });
  assert.deepEqual(chooseAdapter("2", [listed("RTX 4090"), hidden]), {
    reason: 'Dawn gives "RTX 4090" for "RTX 40", hide it from the driver to use the other',
  });
});

test("chooseAdapter() says how few adapters navigator.gpu shows", () => {
  const found = chooseAdapter("AMD", [listed("Intel", { source: { name: "navigator.gpu", gpu } })]);
  assert.match("reason" in found ? found.reason : "", /shows two at most, the npm package webgpu all$/);
});

test("an adapter of several is opened by its name or number, and an unknown one is refused with their list", async (t) => {
  await withFolder((folder) => {
    const env = twoAdaptersEnv(folder);
    if (!env) return t.skip("SwiftShader does not run here");
    const program = fileURLToPath(new URL("../../support/open_adapters.ts", import.meta.url));
    const runner = "Deno" in globalThis ? ["run", "-A", "--no-check"] : ["--import", "tsx"];
    const args = [...runner, program, "-", "1", "2", "swiftshader d", SECOND_ADAPTER.toLowerCase(), "GeForce"];
    const output = execFileSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: "utf8" });
    const [list, first, one, two, named, second, unknown] = JSON.parse(output) as string[];
    const names = [...list.matchAll(/\d (.+?) \(Subzero\) \(computes on the CPU\)/g)].map((match) => match[1]);
    assert.deepEqual([...names].sort(), [SECOND_ADAPTER, "SwiftShader Device"]);
    const label = (name: string): string => `${name} (Subzero) (Dawn, f32, portable tiles)`;
    assert.deepEqual([first, one, two], [names[0], names[0], names[1]].map(label));
    assert.deepEqual([named, second], [label("SwiftShader Device"), label(SECOND_ADAPTER)]);
    assert.equal(unknown, `no adapter is "GeForce", expected a number or a part of one name of ${list}`);
  });
});

test("listAdapters() gives each adapter of this process once", async () => {
  const names = (await listAdapters()).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test("dawnFlags() are what kernels need, and what variables add and take away", () => {
  const flags = (variables: Record<string, string>): string[] => dawnFlags((name) => variables[name]);
  const ours = "enable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia,use_vulkan_memory_model";
  assert.deepEqual(flags({}), [ours]);
  assert.deepEqual(flags({ SVC_DAWN_ENABLE: " dump_shaders, ,skip_validation" }), [
    `${ours},dump_shaders,skip_validation`,
  ]);
  assert.deepEqual(
    flags({ SVC_DAWN_ENABLE: "a", SVC_DAWN_DISABLE: "allow_unsafe_apis,vulkan_enable_f16_on_nvidia,b" }),
    [
      "enable-dawn-features=use_vulkan_memory_model,a",
      "disable-dawn-features=allow_unsafe_apis,vulkan_enable_f16_on_nvidia,b",
    ],
  );
});
