/**
 * What an arworld runs with, and how its engine starts.
 *
 * @module
 */
import type { Device } from "../../compute/tensor/mod.ts";
import { LoadMeter } from "../checkpoint/load_meter.ts";
import type { ModelRoot } from "../checkpoint/model_root.ts";
import { type DeviceOptions, startOnDevice } from "../world/start_on_device.ts";
import type { PrepareOptions } from "../world/world_model.ts";
import { ArworldEngine, type StreamedTexts } from "./arworld_engine.ts";
import { type DecoderChoice, loadArworld } from "./loader.ts";
import { warmUp } from "./sampling/generate_block.ts";
import type { ParkingLimits } from "./sampling/parked_states.ts";

/** Options of an `ArworldModel`. */
export interface ArworldModelOptions extends DeviceOptions {
  /** Name of the model for display and logs. */
  readonly id: string;
  /** Text encoder, video autoencoder and tokenizer. */
  readonly base: ModelRoot;
  /** The causal transformer. */
  readonly causal: ModelRoot;
  /** Which of several worlds it is, see `ArworldPlaces`: exported states say so. */
  readonly place?: string | undefined;
  /** The autoencoder's own decoder by default. */
  readonly decoder?: DecoderChoice | undefined;
  /** Where a large text encoder runs, and what keeps its results. */
  readonly texts?: StreamedTexts | undefined;
  /** Where kept states go that the device has no room for. */
  readonly parking?: Partial<ParkingLimits> | undefined;
}

/** Reads the files, opens the device and warms the programs of one size up, if the model has a default size. */
export async function startArworld(
  { base, causal, texts, decoder, ...devices }: ArworldModelOptions,
  { geometry, signal, onProgress }: PrepareOptions,
): Promise<ArworldEngine> {
  signal?.throwIfAborted();
  const meter = new LoadMeter();
  const files = await loadArworld(base, causal, {
    signal,
    decoder,
    later: true,
    meter,
    onProgress: (fraction) => onProgress?.({ stage: "loading", fraction: 0.5 * fraction }),
  });
  onProgress?.({ stage: "compiling", fraction: 0.5 });
  const start = async (device: Device) => {
    const engine = await ArworldEngine.start(device, files, texts, meter);
    const { defaultWidth, defaultHeight } = files.config;
    signal?.throwIfAborted();
    if (defaultWidth && defaultHeight) {
      await warmUp(engine, { width: defaultWidth, height: defaultHeight }, geometry);
    }
    onProgress?.({ stage: "ready", fraction: 1 });
    return engine;
  };
  return await meter.during(
    (loaded) => onProgress?.({ stage: "loading", fraction: 0.5 + 0.5 * loaded.done / loaded.total, loaded }),
    () => startOnDevice(devices, start, signal),
  );
}
