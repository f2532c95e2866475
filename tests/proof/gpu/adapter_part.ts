/**
 * What Dawn says about the adapter, what the project makes of it, and the cost of everyday things: a run that does next
 * to nothing, an upload, a read.
 *
 * @module
 */
import { f32, Graph, linear, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { isSoftware } from "../../../lib/compute/webgpu/adapters.ts";
import { computesTiles, MATRIX_FEATURE, type SubgroupInfo } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { halves, numbers } from "./numbers.ts";
import { gpuAdapter, openBest, openGpu } from "./open_gpu.ts";
import { log, NoAdapter, type PartResults, runPart, SMALL } from "./part.ts";

await runPart("adapter", async (results) => {
  results.set("rehearsal", SMALL);
  const adapter = await gpuAdapter();
  describe(adapter, results);
  if (isSoftware(adapter) && !SMALL) throw new NoAdapter(`${adapter.info.description} computes on the CPU`);
  const devices: Record<string, unknown>[] = [];
  for (const precision of ["f16", "f32"] as const) {
    const start = performance.now();
    const opened = await openGpu({ precision });
    const ms = performance.now() - start;
    if (typeof opened === "string") {
      devices.push({ precision, problem: opened });
    } else {
      const { device: { label, tiles } } = opened;
      // The check compiles a large kernel, which takes a software adapter seconds; the device has made it by itself.
      const right = SMALL ? undefined : await computesTiles(opened.device);
      devices.push({ precision, label, tiles, ms, right });
      opened.device.dispose();
    }
    log(JSON.stringify(devices.at(-1)));
    results.set("devices", devices);
  }
  await measureOverhead(results);
});

function describe({ info, features, limits }: GPUAdapter, results: PartResults): void {
  const names = ["vendor", "architecture", "device", "description", "subgroupMinSize", "subgroupMaxSize"] as const;
  const about = Object.fromEntries(names.map((name) => [name, info[name]]));
  const { subgroupMatrixConfigs = [] } = info as unknown as SubgroupInfo;
  const matrices = Array.from(
    subgroupMatrixConfigs,
    ({ componentType, resultComponentType, M, N, K }) => `${componentType} to ${resultComponentType} ${M}x${N}x${K}`,
  );
  const numbersOf: Record<string, number> = {};
  for (const name in limits) {
    const value: unknown = limits[name as keyof GPUSupportedLimits];
    if (typeof value === "number") numbersOf[name] = value;
  }
  const known: string[] = ["shader-f16", "subgroups", MATRIX_FEATURE, "timestamp-query"];
  results.set("about", about);
  results.set("features", [...features].sort());
  results.set("missing", known.filter((name) => !features.has(name)));
  results.set("matrices", matrices);
  results.set("limits", numbersOf);
  log(`adapter ${JSON.stringify(about)}`);
  log(`features ${[...features].sort().join(" ")}`);
  log(`subgroup matrices: ${matrices.join(", ") || "none"}`);
}

async function measureOverhead(results: PartResults): Promise<void> {
  const { device } = await openBest();
  const graph = new Graph();
  graph.output("y", linear(graph.input("x", [1, 64]), graph.constant(f32([64, 64], numbers(4096)))));
  const program = await device.compile(graph);
  const x = device.upload(f32([1, 64], numbers(64)));
  const timed = async (times: number, once: () => Promise<void>) => {
    const start = performance.now();
    for (let i = 0; i < times; i++) await once();
    await device.idle();
    return (performance.now() - start) / times;
  };
  const run = async () => (await program.run({ x })).y.release();
  await timed(20, run);
  results.set("runMs", await timed(SMALL ? 20 : 200, run));
  const read = async () => {
    const { y } = await program.run({ x });
    await y.read();
    y.release();
  };
  results.set("runAndReadMs", await timed(SMALL ? 5 : 50, read));
  const size = SMALL ? 2 ** 20 : 2 ** 26;
  const tensors: Record<string, Tensor> = { f32: f32([size], numbers(size)), f16: halves([2 * size]) };
  const upload: Record<string, number> = {};
  for (const [type, t] of Object.entries(tensors)) {
    const up = performance.now();
    const there = device.upload(t);
    await device.idle();
    upload[type] = there.byteLength / (performance.now() - up) / 1e6;
    results.set("uploadGBps", upload);
    if (type === "f32") {
      const down = performance.now();
      await there.read();
      results.set("readGBps", there.byteLength / (performance.now() - down) / 1e6);
    }
    there.release();
  }
  log(`a run ${results.data.runMs} ms, with its result read ${results.data.runAndReadMs} ms`);
  log(`upload in GB/s ${JSON.stringify(upload)}, read ${results.data.readGBps}`);
  device.dispose();
}
