/**
 * A dispatch of a kernel, as lowerings describe it.
 *
 * @module
 */
import type { Binding, ParamField } from "./step.ts";
import type { View } from "./view.ts";

/** A kernel of `kernels-wgsl/` applied to views. */
export interface Dispatch {
  /** Operator, for error messages. */
  readonly what: string;
  readonly kernel: string;
  /** Flags of the kernel's variant; false ones are off. */
  readonly flags?: readonly (string | false)[];
  /** Pipeline-overridable constants. */
  readonly constants?: Readonly<Record<string, number>>;
  readonly params: readonly ParamField[];
  /**
   * Dense views are bound from their first element on; kernels that support strides and offsets bind whole regions.
   */
  readonly inputs: readonly (View | Binding)[];
  readonly output: View | Binding;
  readonly workgroups: number;
  /** Floating-point operations of products; none by default, a multiply-add counts as two. */
  readonly flops?: number;
}

/** All of the memory behind a view. */
export function wholeRegion(view: View): Binding {
  return { region: view.region, offset: 0, bytes: view.region.bytes };
}
