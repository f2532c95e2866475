import type { Tensor } from "onnxruntime-node";
import { describeDecoder } from "../../../lib/engines/onnx_text/decoder/decoder_graph.ts";
import { Decoder } from "../../../lib/engines/onnx_text/decoder/decoder.ts";
import { HostKv } from "../../../lib/engines/onnx_text/kv_places/kv_place.ts";
import { readOnnxFile } from "../../../lib/engines/onnx_sessions/onnx_file.ts";
import { rewriteDecoderGraph } from "../../../lib/engines/onnx_text/decoder/rewrite_decoder_graph.ts";
import { openSession } from "../../../lib/engines/onnx_sessions/open_session.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";

/** Logits of each token of a text, computed at once by the graph as it is in the file. */
export async function plainLogits(files: ModelFiles, name: string, tokens: readonly number[]): Promise<Float32Array[]> {
  let found: Float32Array[] = [];
  await withPlainDecoder(files, name, async (logitsOf) => void (found = await logitsOf(tokens)));
  return found;
}

/** The same for several texts. */
export async function withPlainDecoder(
  files: ModelFiles,
  name: string,
  work: (logitsOf: (tokens: readonly number[]) => Promise<Float32Array[]>) => Promise<void>,
): Promise<void> {
  const graph = describeDecoder(await readOnnxFile(files, name), name, {});
  const { session, runtime } = await openSession(files.path(name), { device: "cpu", threads: 1 });
  const whole = (values: readonly number[], shape: number[]): Tensor =>
    new runtime.Tensor("int64", BigInt64Array.from(values, BigInt), shape);
  await work(async (tokens) => {
    const feeds: Record<string, Tensor> = {
      input_ids: whole(tokens, [1, tokens.length]),
      attention_mask: whole(tokens.map(() => 1), [1, tokens.length]),
    };
    if (graph.takesPositions) {
      const planes = graph.positionPlanes ?? 1;
      const positions = Array.from({ length: planes }, () => tokens.map((_, i) => i)).flat();
      feeds.position_ids = whole(positions, [...graph.positionPlanes === undefined ? [] : [planes], 1, tokens.length]);
    }
    for (const { past, shape, type } of graph.states) {
      const zeros = new Float32Array(shape.reduce((product, size) => product * size, 1));
      feeds[past] = new runtime.Tensor(type, zeros, [1, ...shape]);
    }
    if (graph.logitCountRank !== undefined) {
      feeds.num_logits_to_keep = whole([tokens.length], graph.logitCountRank === 0 ? [] : [1]);
    }
    for (const { past, heads, dim } of graph.kv) {
      const data = graph.kvType === "float32" ? new Float32Array() : new Uint16Array();
      feeds[past] = new runtime.Tensor(graph.kvType, data, [1, heads, 0, dim]);
    }
    const { logits } = await session.run(feeds, ["logits"]);
    const data = logits.data as Float32Array;
    const width = logits.dims[2];
    return tokens.map((_, i) => data.slice(i * width, (i + 1) * width));
  });
  await session.release();
}

/** Runs work with the tailored decoder of a model. */
export async function withDecoder(
  files: ModelFiles,
  name: string,
  work: (decoder: Decoder) => Promise<void>,
  cut = true,
): Promise<void> {
  const file = await readOnnxFile(files, name);
  const graph = describeDecoder(file, name, {});
  const { bytes, ...tailored } = rewriteDecoderGraph(file, graph, cut);
  const folder = files.path(name).replace(/[\\/][^\\/]*$/, "");
  const opened = await openSession({ bytes, folder }, { device: "cpu", threads: 1 });
  const place = new HostKv(opened.runtime, graph);
  const decoder = new Decoder({ ...opened, ...tailored, graph, place, embedder: undefined });
  try {
    await work(decoder);
  } finally {
    await decoder.close();
  }
}

/** The largest difference between two lists of logits. */
export function difference(a: Float32Array, b: Float32Array): number {
  return a.reduce((max, value, i) => Math.max(max, Math.abs(value - b[i])), 0);
}
