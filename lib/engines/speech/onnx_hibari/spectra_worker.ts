/**
 * Runs the networks of Hibari's voices on a thread of their own.
 *
 * @module
 */
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import { HibariNetwork, SpectralShaper, type SpectraService } from "./hibari_network.ts";

const networks = new Map<string, HibariNetwork>();
let shaper: Promise<SpectralShaper> | undefined;

serveCalls<SpectraService>(await parentPort(), {
  open: async (_call, path, file, settings) => {
    await (shaper ??= SpectralShaper.open());
    const network = await HibariNetwork.open(path, file, settings);
    networks.set(file, network);
    return network.device;
  },
  run: async (_call, file, numbers, speed) => await (await shaper!).run(await networks.get(file)!.run(numbers, speed)),
  close: async () => {
    for (const network of networks.values()) await network.close();
    await (await shaper)?.close();
  },
});
