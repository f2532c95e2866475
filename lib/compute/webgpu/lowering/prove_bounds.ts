/**
 * Proves that a program stays inside its memory, so that a device need not check its indices.
 *
 * @module
 */
import {
  kernelConstant,
  type KernelInterface,
  KernelParams,
  type Reach,
  readKernelInterface,
} from "./kernel_interface.ts";
import { elementwiseReach, kernelReach } from "./kernel_reach.ts";
import type { Step } from "./step.ts";

/** Indices of kernels are unsigned integers of 32 bits, which wrap around. */
const HIGHEST_INDEX = 2 ** 32;

/** What a proof needs of a dispatch. */
export type ProvedStep = Omit<Step, "workgroups" | "flops" | "time">;

/**
 * Proves for every step that what its kernel can address, given its uniform struct, lies within what is bound. The bytes
 * come from the steps themselves and not from the lowerings that made them, whose mistakes are what is looked for.
 *
 * @throws {RangeError} that names the first step that may leave a binding.
 */
export function proveBounds(steps: readonly ProvedStep[]): void {
  const interfaces = new Map<string, KernelInterface>();
  for (const step of steps) {
    const refuse = (reason: string): never => {
      throw new RangeError(
        `Cannot run ${step.what} without bounds checks: ${reason} (kernel ${step.kernel}), ` +
          "open the device with them",
      );
    };
    try {
      let declared = interfaces.get(step.code);
      if (!declared) interfaces.set(step.code, declared = readKernelInterface(step.code));
      const reason = boundsProblem(step, declared);
      if (reason !== undefined) refuse(reason);
    } catch (error) {
      if (!(error instanceof RangeError) || error.message.startsWith("Cannot run")) throw error;
      refuse(error.message);
    }
  }
}

function boundsProblem(step: ProvedStep, declared: KernelInterface): string | undefined {
  const { params, bindings } = step;
  if (params.byteLength < declared.paramBytes) {
    return `its parameters have ${params.byteLength} bytes, expected ${declared.paramBytes}`;
  }
  if (bindings.length !== declared.bindings.length) {
    return `it has ${bindings.length} bindings, expected ${declared.bindings.length}`;
  }
  const reach = reachOf(step, declared);
  for (const [i, { name, stride, lanes }] of declared.bindings.entries()) {
    const { region, offset, bytes } = bindings[i];
    if (offset + bytes > region.bytes) {
      return `binding ${name} ends at byte ${offset + bytes} of ${region.bytes}`;
    }
    const numbers = reach[name];
    if (numbers === undefined || !(numbers >= 0 && numbers <= HIGHEST_INDEX)) {
      return `how far it reaches into binding ${name} is not known (${numbers})`;
    }
    const reached = Math.ceil(numbers / lanes) * stride;
    // Memory is allocated and bound in words of 4 bytes.
    if (reached > 4 * Math.ceil(bytes / 4)) {
      return `it reaches up to byte ${reached} of binding ${name}, expected at most ${bytes}`;
    }
  }
  return undefined;
}

function reachOf({ kernel, code, constants, params }: ProvedStep, declared: KernelInterface): Reach {
  if (kernel === "elementwise") return elementwiseReach(code, [...params], declared.bindings);
  const reach = kernelReach.get(kernel);
  if (!reach) throw new RangeError("how far it reaches is not known");
  return reach(new KernelParams(declared, params), {
    constants,
    lanes: new Map(declared.bindings.map(({ name, lanes }) => [name, lanes])),
    constant: (name) => kernelConstant(code, name),
    declares: (name) => new RegExp(`^(?:fn|var<workgroup>) ${name}\\b`, "m").test(code),
  });
}
