/** Prints what openWebGpuDevice() says of each adapter that an argument names; `-` names none. */
import process from "node:process";
import { openWebGpuDevice } from "../../lib/compute/webgpu/webgpu_device.ts";
import { describeAdapters, listAdapters } from "../../lib/compute/webgpu/adapters.ts";

const answers: (string | undefined)[] = [describeAdapters(await listAdapters())];
for (const adapter of process.argv.slice(2)) {
  const opening = await openWebGpuDevice(adapter === "-" ? { allowSoftware: true } : { adapter });
  answers.push(opening.ok ? opening.device.label : opening.reason);
}
process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit(0));
