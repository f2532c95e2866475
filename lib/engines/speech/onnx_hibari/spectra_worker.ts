/**
 * Runs the networks of Hibari's voices on a thread of their own.
 *
 * @module
 */
import type { Method } from "../../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import type { SessionSettings } from "../../onnx_sessions/open_session.ts";
import { HibariNetwork, SpectralShaper } from "./hibari_network.ts";
import type { SpectralShapes } from "./waveform.ts";

/** What the thread does. Voices are named by their files. */
export type SpectraService = {
  /** Opens a voice and answers with its device. */
  readonly open: Method<readonly [path: string, file: string, SessionSettings], string>;
  /** Amplitudes of the numbers of phonemes, with the zeros at both ends. */
  readonly run: Method<readonly [file: string, numbers: readonly number[], speed: number], SpectralShapes>;
  /** Frees everything; nothing is running. */
  readonly close: Method<readonly []>;
};

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
