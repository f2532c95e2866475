/**
 * Runs the network of Kokoro on a thread of its own.
 *
 * @module
 */
import { Moved } from "../../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import { KokoroNetwork, type KokoroService } from "./kokoro_network.ts";

let network: KokoroNetwork | undefined;

serveCalls<KokoroService>(await parentPort(), {
  open: async (_call, source, file, settings) => (network = await KokoroNetwork.open(source, file, settings)).device,
  run: async (_call, numbers, style, speed) => new Moved(await network!.run(numbers, style, speed)),
  close: async () => await network?.close(),
});
