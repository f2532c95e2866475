import assert from "node:assert/strict";
import process from "node:process";
import { after, test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { type Device, type DeviceTensor, f32, type Program } from "../../../lib/compute/tensor/mod.ts";
import {
  checkAdapter,
  fastestWithRoom,
  openDevice,
  type TriedDevice,
} from "../../../lib/compute/device/open_device.ts";
import type { SvcError } from "../../../lib/errors/svc_error.ts";
import { commandLineMessage } from "../../../lib/platform/terminal/flags.ts";
import { probeDevice } from "../../../lib/compute/device/probe_device.ts";

const cpu = await openOnnxDevice({ threads: 1 });
after(() => cpu.dispose());

/** The CPU with a driver that spoils one element of one output. */
function spoiling(name: string, wrong: number): Device {
  const spoil = (t: DeviceTensor): DeviceTensor => ({
    ...{ shape: t.shape, type: t.type, byteLength: t.byteLength },
    read: async () => {
      const { shape, data } = await t.read();
      return f32(shape, Float32Array.from(data, (value, i) => i === data.length - 1 ? wrong : value));
    },
    retain: () => t.retain(),
    release: () => t.release(),
  });
  const program = (own: Program): Program => ({
    inputs: own.inputs,
    outputs: own.outputs,
    run: async (feeds) => {
      const outputs = await own.run(feeds);
      return Object.fromEntries(Object.entries(outputs).map(([key, t]) => [key, key === name ? spoil(t) : t]));
    },
    dispose: () => own.dispose(),
  });
  return {
    ...{ kind: cpu.kind, label: "spoiling", precision: cpu.precision, lost: cpu.lost },
    compile: async (graph) => program(await cpu.compile(graph)),
    upload: (t) => cpu.upload(t),
    idle: () => cpu.idle(),
    memory: () => cpu.memory(),
    dispose: () => {},
  };
}

test("probeDevice() measures a device that computes correctly, and leaves nothing on it", async () => {
  const before = cpu.memory().allocated;
  let time = 0;
  assert.equal(await probeDevice(cpu, () => time += 500), 2 * 512 * 1024 * 1024 / 0.5);
  assert.equal(cpu.memory().allocated, before);
});

test("probeDevice() refuses a device that computes anything else", async () => {
  for (const [name, wrong] of [["attention", 1.25], ["convolution", NaN], ["product", 0]] as const) {
    const before = cpu.memory().allocated;
    await assert.rejects(probeDevice(spoiling(name, wrong)), {
      message: `its ${name} gives ${wrong} where 1 is right`,
    });
    assert.equal(cpu.memory().allocated, before);
  }
});

test("openDevice() says what to do about a provider that this system does not have", async () => {
  const foreign = process.platform === "win32" ? "coreml" : "dml";
  const says = `^Cannot open a GPU: ${foreign} does not work \\(.+\\); run "svc doctor", .*, or use`;
  await assert.rejects(openDevice(foreign, 1), (error: SvcError) => {
    assert.equal(error.code, "model_device_unavailable");
    assert.match(error.message, new RegExp(`${says} \`device\` cpu$`));
    assert.match(commandLineMessage(error), new RegExp(`${says} --device cpu$`));
    return true;
  });
});

test("fastestWithRoom() takes the fastest device that has room, and disposes the others", async () => {
  const open = (): { events: string[]; working: TriedDevice[] } => {
    const events: string[] = [];
    const device = (label: string): Device => ({ label, dispose: () => void events.push(`- ${label}`) }) as Device;
    return { events, working: [{ device: device("slow"), speed: 1 }, { device: device("fast"), speed: 2 }] };
  };
  const failed = (events: string[]) => (label: string, reason: string) => void events.push(`${label}: ${reason}`);
  const small = (...labels: string[]) => ({ label }: Device) =>
    Promise.resolve(labels.includes(label) ? "too small" : undefined);

  const both = open();
  assert.equal((await fastestWithRoom(both.working, failed(both.events)))?.label, "fast");
  assert.deepEqual(both.events, ["- slow"]);
  const one = open();
  assert.equal((await fastestWithRoom(one.working, failed(one.events), small("fast")))?.label, "slow");
  assert.deepEqual(one.events, ["fast: too small", "- fast"]);
  const none = open();
  assert.equal(await fastestWithRoom(none.working, failed(none.events), small("fast", "slow")), undefined);
  assert.deepEqual(none.events, ["fast: too small", "slow: too small", "- slow", "- fast"]);
  const broken = open();
  const unknown = () => Promise.reject(new Error("no files"));
  await assert.rejects(fastestWithRoom(broken.working, failed(broken.events), unknown), { message: "no files" });
  assert.deepEqual(broken.events, ["- slow", "- fast"]);
});

test("checkAdapter() refuses a name at once with what there is, and devices that it is not for", async () => {
  await checkAdapter(undefined, "cuda");
  for (const device of ["cpu", "cuda", "vulkan"]) {
    await assert.rejects(checkAdapter("1", device), {
      name: "UsageError",
      message: `Cannot use \`adapter\` with \`device\` ${device}: expected \`device\` webgpu, or auto`,
    });
  }
  await assert.rejects(checkAdapter("no such card"), {
    name: "UsageError",
    message:
      /^Cannot use `adapter` no such card: (no adapter is "no such card", expected .+|WebGPU finds no adapter .+)$/,
  });
});

test("openDevice() does not take the CPU where an adapter is named", async () => {
  await assert.rejects(openDevice("auto", 1, { adapter: "no such card" }), { code: "model_device_unavailable" });
});
