/**
 * Compiles a graph into sessions of ONNX Runtime.
 *
 * @module
 */
import type { InferenceSession } from "onnxruntime-node";
import type { Precision } from "../tensor/device.ts";
import type { Graph } from "../tensor/graph.ts";
import { graphCost } from "../tensor/graph_cost.ts";
import type { OnnxRuntimeModule } from "./load_onnxruntime.ts";
import { lowerGraph } from "./lower_graph.ts";
import type { OnnxModel } from "./model_builder.ts";
import { keepsScratch } from "./onnx_memory.ts";
import type { CompiledPart } from "./onnx_program.ts";
import { keepsHalves, PART_FLOPS, type PartLimits, splitGraph } from "./split_graph.ts";

/** How a graph is compiled. */
export interface CompileOptions {
  readonly runtime: OnnxRuntimeModule;
  /** What computes; the CPU by default. */
  readonly provider?: string | undefined;
  /** What products compute in, see {@linkcode lowerGraph}; f32 by default. */
  readonly products?: Precision | undefined;
  /** Threads of an operator; default one a core. */
  readonly threads?: number | undefined;
  /** What a part may have at most, see {@linkcode splitGraph}; on the CPU {@linkcode PART_FLOPS} operations by default. */
  readonly limits?: PartLimits | undefined;
}

/**
 * Other threads of a server (encoder, HTTP) need the same cores. A worker of ONNX Runtime that spins for work, or that
 * holds a fixed share of an operator while it is not scheduled, then delays everything. Workers that sleep and fetch
 * small shares: a decoder of the embedded world's shapes on two crowded cores, median 78 ms instead of 434 ms; with
 * priority over the crowd 37 ms instead of 60 ms, while the small transformer loses 5 to 15 %.
 */
const threading = { session: { dynamic_block_base: "4", intra_op: { allow_spinning: "0" } } };

/** Keeps the runtime from widening weights of 16 bits when it compiles; the level "all" does it in spite of this. */
const unfolded = { optimization: { disable_specified_optimizers: "ConstantFolding" } };

/** Compiles one part after another: only one of them has its weights twice at a time. */
export async function compileParts(
  graph: Graph,
  { runtime, provider = "cpu", products = "f32", threads, limits }: CompileOptions,
): Promise<{ readonly parts: readonly CompiledPart[]; readonly weightBytes: number }> {
  const split = splitGraph(graph, { flops: provider === "cpu" ? PART_FLOPS : undefined, ...limits });
  const narrow = products === "f16" && !graph.isWide;
  const halves = !narrow && keepsHalves(splitGraph(graph, { bytes: limits?.bytes }));
  const enableCpuMemArena = keepsScratch(graphCost(graph));
  const open = ({ bytes, weights: externalData }: OnnxModel): Promise<InferenceSession> =>
    runtime.InferenceSession.create(bytes, {
      executionProviders: [provider],
      externalData,
      graphOptimizationLevel: halves ? "extended" : "all",
      logSeverityLevel: 3,
      enableCpuMemArena,
      extra: halves ? { ...threading, ...unfolded } : threading,
      ...(threads !== undefined && { intraOpNumThreads: threads }),
    });
  const parts: CompiledPart[] = [];
  let weightBytes = 0;
  try {
    for (const part of split) {
      const { takes, gives, outputs } = part;
      const lowered = lowerGraph(part, halves, narrow ? "f16" : "f32");
      weightBytes += lowered.weightBytes;
      const session = await open(lowered);
      parts.push({ takes, gives, outputs, usedInputs: lowered.usedInputs, session });
    }
  } catch (error) {
    await Promise.allSettled(parts.map(({ session }) => session.release()));
    throw error;
  }
  return { parts, weightBytes };
}
