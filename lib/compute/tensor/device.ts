/**
 * Devices that run graphs: the common interface of ONNX Runtime on the CPU and of WebGPU, and what both do alike: they
 * check the inputs of a program, and run one job after the other.
 *
 * @module
 */
import type { Graph, ValueType } from "./graph.ts";
import { formatShape, sameShape, type Shape, ShapeError } from "./shape.ts";
import type { Tensor } from "./tensor.ts";

/**
 * A tensor in the device's memory. It is immutable once a program has returned it, so that a state can be kept by
 * keeping its tensors. Reference-counted: its owner releases it once, `retain` adds an owner.
 */
export interface DeviceTensor {
  /** Length of each dimension. */
  readonly shape: Shape;
  /** Type of the elements. */
  readonly type: ValueType;
  /** Bytes on the device. */
  readonly byteLength: number;
  /**
   * Copies the elements to ordinary memory: `f32` for floats in any precision, `i32` for integers.
   *
   * @param into Takes the elements of a tensor of floats, as many: saves whoever reads often the memory of every copy.
   */
  read(into?: Float32Array): Promise<Tensor<"f32"> | Tensor<"i32">>;
  /** Adds an owner; returns the tensor itself. */
  retain(): DeviceTensor;
  /** Gives up one ownership; the last one frees the memory. */
  release(): void;
}

/** Shape and type of a program's input or output. */
export interface ValueSpec {
  /** Length of each dimension. */
  readonly shape: Shape;
  /** Type of the elements. */
  readonly type: ValueType;
}

/** A compiled graph with its pipelines and scratch memory. */
export interface Program {
  /** By name. */
  readonly inputs: ReadonlyMap<string, ValueSpec>;
  /** By name. */
  readonly outputs: ReadonlyMap<string, ValueSpec>;
  /**
   * Runs once. Feeds stay owned by the caller; every output is owned by the caller and must be released. Runs on one
   * device are executed in the order of the calls. An array that is fed must not change before the run has ended.
   *
   * @param options `signal` stops the run where the device can be stopped: a GPU before the next part of a long run is
   * handed to it, ONNX Runtime before the next part of a large or long program. Nothing is returned then. `between` is
   * awaited between two parts where ONNX Runtime runs a program in parts and little memory is held: others may use the
   * device meanwhile.
   * @throws the signal's reason when it aborts before the last part has begun.
   * @throws {ShapeError} when an input is missing, unknown or of another shape or type.
   * @throws {SvcError} `device_lost` when the device is lost: its tensors are gone, a new device can be opened.
   */
  run(
    feeds: Readonly<Record<string, Tensor | DeviceTensor>>,
    options?: {
      readonly signal?: AbortSignal | undefined;
      readonly between?: (() => Promise<void>) | undefined;
    },
  ): Promise<Record<string, DeviceTensor>>;
  /** Releases pipelines and scratch memory; a second call does nothing. */
  dispose(): void;
}

/** Options of {@linkcode Program.run}. */
export type RunOptions = NonNullable<Parameters<Program["run"]>[1]>;

/** How floats are stored while a program runs; sums are always kept in 32 bits. */
export type Precision = "f32" | "f16";

/** A device that runs graphs. */
export interface Device {
  /** What runs programs: `cpu` is ONNX Runtime with tensors in ordinary memory, whichever of its providers computes. */
  readonly kind: "cpu" | "webgpu";
  /** Name for display and logs, such as `cpu (2 threads)` or `NVIDIA H100 (Dawn, f16, 16x16 matrices)`. */
  readonly label: string;
  /**
   * What a GPU computes products and convolutions with: its matrix units (tensor cores and the like) through subgroup
   * matrices of this side, or tiles that run on any GPU, and why not matrices. Undefined for other devices.
   */
  readonly tiles?: {
    readonly kind: "16x16 matrices" | "8x8 matrices" | "portable tiles";
    readonly reason?: string;
  } | undefined;
  /** Precision of floats. */
  readonly precision: Precision;
  /** Lowers a graph; the program is independent of the graph afterwards. */
  compile(graph: Graph): Promise<Program>;
  /**
   * What a run of a graph would take, where the device divides work itself (a GPU): a time in a unit of its own, of which
   * only ratios mean something, and the memory of values inside the program.
   *
   * @throws {RangeError} when the device cannot bind what it needs.
   */
  estimate?(graph: Graph): { readonly time: number; readonly scratchBytes: number };
  /** Copies a tensor to the device. Floats of every stored type are converted to the device's precision. */
  upload(t: Tensor): DeviceTensor;
  /**
   * Resolves when everything that was asked of the device before has ended: runs, copies and what they queued. `run`
   * resolves as soon as a GPU has its work; this waits for the work itself, without reading a result.
   *
   * @throws {SvcError} `device_lost` when the device is lost or was disposed.
   */
  idle(): Promise<void>;
  /** Bytes of allocated tensors, weights and scratch memory, now and at most. */
  memory(): { readonly allocated: number; readonly peak: number };
  /** Resolves with the reason when the device is lost; never for the CPU. */
  readonly lost: Promise<string>;
  /** Releases everything; programs and tensors of the device become unusable. */
  dispose(): void;
}

/**
 * Throws unless the feeds are exactly the inputs, each of its shape and type.
 *
 * @throws {ShapeError} that names the input that is missing, unknown or does not fit.
 */
export function checkFeeds(
  inputs: ReadonlyMap<string, ValueSpec>,
  feeds: Readonly<Record<string, Tensor | DeviceTensor>>,
): void {
  for (const name of Object.keys(feeds)) {
    if (!inputs.has(name)) {
      throw new ShapeError(
        `Cannot run program: input "${name}" is unknown, inputs are ${[...inputs.keys()].join(", ")}`,
      );
    }
  }
  for (const [name, spec] of inputs) {
    const feed = feeds[name];
    if (!feed) {
      throw new ShapeError(
        `Cannot run program: input "${name}" is missing, expected ${spec.type} ${formatShape(spec.shape)}`,
      );
    }
    const type = "dtype" in feed ? (feed.dtype === "i32" ? "int" : "float") : feed.type;
    if (type !== spec.type || !sameShape(feed.shape, spec.shape)) {
      throw new ShapeError(
        `Cannot run program: input "${name}" is ${type} ${formatShape(feed.shape)}, ` +
          `expected ${spec.type} ${formatShape(spec.shape)}`,
      );
    }
  }
}

/** Milliseconds of jobs after which messages are handled. */
const MESSAGES_AFTER = 100;

/**
 * Runs jobs in the order in which they were added. Deno calls native code on the thread itself: a series of jobs would
 * otherwise receive nothing that arrives, neither what aborts it nor requests of others for the device.
 */
export class RunQueue {
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();
  #spent = 0;

  /** @param now A monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Adds a job; a failing job does not stop later ones. */
  add<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#run(job));
    this.#last = result.catch(() => {});
    return result;
  }

  async #run<T>(job: () => Promise<T>): Promise<T> {
    const begun = this.#now();
    try {
      return await job();
    } finally {
      this.#spent += this.#now() - begun;
      if (this.#spent >= MESSAGES_AFTER) {
        this.#spent = 0;
        await nextTurn();
      }
    }
  }
}

/** Lets what has arrived meanwhile be handled, such as the message that aborts a run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
