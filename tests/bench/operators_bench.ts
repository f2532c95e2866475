/**
 * Every operator on a device in GFLOP/s, beside ONNX Runtime on the CPU in the same run.
 *
 * @module
 */
import type { Device } from "../../lib/compute/tensor/mod.ts";
import { type OperatorCase, operatorCases } from "./operator_cases.ts";
import { medianMilliseconds } from "./stopwatch.ts";
import { printTable } from "./table.ts";

/** Median time of one run whose inputs are on the device already and whose output stays there. */
async function time(device: Device, { graph, feeds }: OperatorCase): Promise<number> {
  const program = await device.compile(graph);
  const inputs = Object.fromEntries(Object.entries(feeds).map(([name, t]) => [name, device.upload(t)]));
  // Runs are queued, so the cost of the one wait is shared by many runs.
  const batch = device.kind === "cpu" ? 1 : 8;
  const milliseconds = await medianMilliseconds(async () => {
    for (let i = 0; i < batch; i++) (await program.run(inputs)).y.release();
    await device.idle();
  });
  for (const t of Object.values(inputs)) t.release();
  program.dispose();
  return milliseconds / batch;
}

/** Prints one row an operator: GFLOP/s of every device and the ratio to the first one, the CPU. */
export async function operatorsBench(devices: readonly Device[]): Promise<void> {
  const rows: string[][] = [];
  for (const c of operatorCases()) {
    const rates: number[] = [];
    for (const device of devices) rates.push(c.operations / (await time(device, c)) / 1e6);
    rows.push([
      c.name,
      ...rates.flatMap((r, i) => i === 0 ? [r.toFixed(1)] : [r.toFixed(1), `${(r / rates[0]).toFixed(2)}x`]),
    ]);
  }
  printTable([
    "operator",
    ...devices.flatMap((d, i) => i === 0 ? [`${d.label} GFLOP/s`] : [`${d.label} GFLOP/s`, "ratio"]),
  ], rows);
}
