/**
 * Recognises the published ONNX export of MoGe-2.
 *
 * @module
 */
import type { Moge2Config } from "../../models/moge2/config.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import type { GeometryModelProfile, NetworkSizes } from "../contract/model_profile.ts";

/** Sizes of the one network that is published as ONNX with normals and ViT-S; plans of larger ones are too low. */
const published: Moge2Config = {
  encoder: { dim: 384, depth: 12, heads: 6, hidden: 1536, patch: 14, grid: 37 },
  take: [2, 5, 8, 11],
  dims: [384, 256, 128, 64, 32],
  neck: { blocks: [0, 1, 1, 1, 0] },
  heads: { blocks: [0, 1, 1, 1, 0] },
};

/** The profile of the export; undefined for other files. */
export async function readOnnxMoge2Profile(files: ModelFiles): Promise<GeometryModelProfile | undefined> {
  const graphs = files.names.filter((name) => name.endsWith(".onnx"));
  if (graphs.length !== 1) return undefined;
  const { inputs, outputs } = await readOnnxFile(files, graphs[0]);
  const has = (list: readonly { readonly name: string }[], names: readonly string[]) =>
    names.every((name) => list.some((one) => one.name === name));
  if (!has(inputs, ["image", "num_tokens"]) || !has(outputs, ["points", "mask", "metric_scale"])) return undefined;
  return { kind: "geometry", engine: "onnx-moge2", network: published as unknown as NetworkSizes };
}
