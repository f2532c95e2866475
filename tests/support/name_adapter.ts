/** Offers the driver that is mounted in a folder, then prints the adapters that WebGPU finds. */
import process from "node:process";
import { describeAdapters, listAdapters } from "../../lib/compute/webgpu/adapters.ts";
import { offerMountedDriver } from "../../lib/platform/machine/mounted_driver.ts";

const [folder] = process.argv.slice(2);
if (folder) offerMountedDriver(process.env, folder);
const names = describeAdapters(await listAdapters());
process.stdout.write(`${names}\n`, () => process.exit(0));
