/**
 * The basis of all lowerings: the views of values, the steps so far, and memory allocation.
 *
 * @module
 */
import type { KernelName } from "../../../../kernels-wgsl/generated.ts";
import type { Precision } from "../../tensor/device.ts";
import type { Value, ValueType } from "../../tensor/graph.ts";
import { type Shape, sizeOf } from "../../tensor/shape.ts";
import { f32, type Tensor } from "../../tensor/tensor.ts";
import type { GpuLimits } from "../gpu_context.ts";
import { elementBytes } from "../webgpu_tensor.ts";
import { copyDispatch, type Dispatch } from "./dispatch.ts";
import { expandKernel } from "./expand_kernel.ts";
import { type Binding, packParams, type Step } from "./step.ts";
import { stepTime } from "./step_time.ts";
import { denseView, isDense, type PackedConvWeight, type Region, type View } from "./view.ts";

/** The state of lowering one graph. */
export class Lowering {
  readonly steps: Step[] = [];
  readonly limits: GpuLimits;
  readonly precision: Precision;
  /** See `Graph.entries`. */
  readonly entries: number;
  readonly #views = new Map<Value, View>();
  readonly #constants = new Map<Tensor, View>();
  readonly #arranged = new Map<PackedConvWeight, View>();
  readonly #packed = new Map<Tensor, Region>();
  readonly #dense = new Map<View, View>();
  #nothing: View | undefined;

  constructor(limits: GpuLimits, precision: Precision, entries: number = 1) {
    this.limits = limits;
    this.precision = precision;
    this.entries = entries;
  }

  /** The view of a value, whose node has been lowered before. */
  view(value: Value): View {
    const view = this.#views.get(value);
    if (!view) throw new Error(`Cannot lower graph: value ${value.id} is used before it is computed`);
    return view;
  }

  /** Sets the view of a value. */
  place(value: Value, view: View): void {
    this.#views.set(value, view);
  }

  /** Bytes of one element. */
  bytesOf(type: ValueType): number {
    return elementBytes(type, this.precision);
  }

  /** Fresh memory for a dense value. */
  allocate(shape: Shape, type: ValueType): View {
    return this.#region({ kind: "scratch" }, shape, type);
  }

  /** Memory that the caller feeds. */
  input(name: string, shape: Shape, type: ValueType): View {
    return this.#region({ kind: "input", name }, shape, type);
  }

  /** Fresh memory that becomes the value. */
  result(value: Value): View {
    const view = this.allocate(value.shape, value.type);
    this.place(value, view);
    return view;
  }

  /** A tensor that is uploaded once per device. */
  constant(tensor: Tensor): View {
    let view = this.#constants.get(tensor);
    if (!view) {
      view = this.#region({ kind: "constant", tensor }, tensor.shape, tensor.dtype === "i32" ? "int" : "float");
      this.#constants.set(tensor, view);
    }
    return view;
  }

  /** A tensor that is put in another order, once per device. */
  arranged(weight: PackedConvWeight): View {
    let view = this.#arranged.get(weight);
    if (!view) {
      view = this.#region({ kind: "arranged", weight }, weight.shape, "float");
      this.#arranged.set(weight, view);
    }
    return view;
  }

  /** The bytes of a tensor, uploaded once per device. */
  packed(tensor: Tensor<"u8">): Region {
    let region = this.#packed.get(tensor);
    if (!region) {
      region = { source: { kind: "packed", tensor }, type: "int", bytes: sizeOf(tensor.shape) };
      this.#packed.set(tensor, region);
    }
    return region;
  }

  /** Bound in place of an absent optional input. */
  nothing(): View {
    this.#nothing ??= this.constant(f32([4], [0, 0, 0, 0]));
    return this.#nothing;
  }

  /** The view itself if a kernel can use it as a dense array from element 0 on, else a dense copy. */
  dense(view: View): View {
    return this.isDense(view) ? view : this.#copied(view);
  }

  /** Whether a kernel can use the view as a dense array from element 0 on. */
  isDense(view: View): boolean {
    const aligned = view.offset * this.bytesOf(view.region.type) % this.limits.minStorageBufferOffsetAlignment === 0;
    return aligned && isDense(view);
  }

  /** The view itself if its rows have no gaps, else a dense copy. */
  denseRows(view: View): View {
    return view.strides.at(-1) === 1 || view.shape.at(-1) === 1 ? view : this.#copied(view);
  }

  /** Copies elements into a region of the same shape. */
  copy(what: string, source: View, destination: View): void {
    this.dispatch(copyDispatch(what, source, destination, this.bytesOf(source.region.type)));
  }

  /** Appends a dispatch of a kernel. */
  dispatch(d: Dispatch): void {
    this.push(d, kernelText(d));
  }

  /** Appends a dispatch of a kernel whose placeholders have been filled in. */
  push(d: Dispatch, code: string): void {
    const bindings = [...d.inputs, d.output].map((v) => "strides" in v ? this.#bindDense(v) : v);
    for (const { bytes } of bindings) {
      if (bytes > this.limits.maxStorageBufferBindingSize) {
        throw new RangeError(
          `Cannot compile ${d.what}: it needs a contiguous tensor of ${bytes} bytes, the device binds at most ` +
            `${this.limits.maxStorageBufferBindingSize} (maxStorageBufferBindingSize)`,
        );
      }
    }
    this.steps.push({
      what: d.what,
      kernel: d.kernel,
      code,
      constants: d.constants ?? {},
      params: packParams(d.params),
      bindings,
      workgroups: d.workgroups,
      flops: d.flops ?? 0,
      time: stepTime(d, bindings, this.limits),
    });
  }

  #region(source: Region["source"], shape: Shape, type: ValueType): View {
    return denseView({ source, type, bytes: sizeOf(shape) * this.bytesOf(type) }, shape);
  }

  #copied(view: View): View {
    const known = this.#dense.get(view);
    if (known) return known;
    const copy = this.allocate(view.shape, view.region.type);
    this.copy("copy", view, copy);
    this.#dense.set(view, copy);
    return copy;
  }

  #bindDense(view: View): Binding {
    const bytes = this.bytesOf(view.region.type);
    return { region: view.region, offset: view.offset * bytes, bytes: sizeOf(view.shape) * bytes };
  }
}

/** The text of a dispatch's kernel variant. */
export function kernelText(d: Pick<Dispatch, "kernel" | "flags">): string {
  const name = [d.kernel, ...(d.flags ?? []).filter((flag) => flag)].join(" ");
  return expandKernel(name as KernelName);
}
