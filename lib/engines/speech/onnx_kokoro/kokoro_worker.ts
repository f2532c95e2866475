/**
 * Runs the network of Kokoro on a thread of its own.
 *
 * @module
 */
import { type Method, Moved } from "../../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../../platform/rpc/serve_calls.ts";
import { parentPort } from "../../../platform/workers/parent_port.ts";
import type { SessionSettings, SessionSource } from "../../onnx_sessions/open_session.ts";
import { KokoroNetwork } from "./kokoro_network.ts";

/** What the thread does. */
export type KokoroService = {
  /** Opens the network and answers with its device. */
  readonly open: Method<readonly [SessionSource, file: string, SessionSettings], string>;
  /** See `KokoroNetwork.run`. */
  readonly run: Method<
    readonly [numbers: readonly number[], style: Float32Array<ArrayBuffer>, speed: number],
    Float32Array<ArrayBuffer>
  >;
  /** Frees everything; nothing is running. */
  readonly close: Method<readonly []>;
};

let network: KokoroNetwork | undefined;

serveCalls<KokoroService>(await parentPort(), {
  open: async (_call, source, file, settings) => (network = await KokoroNetwork.open(source, file, settings)).device,
  run: async (_call, numbers, style, speed) => new Moved(await network!.run(numbers, style, speed)),
  close: async () => await network?.close(),
});
