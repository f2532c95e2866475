/**
 * Recognises vision models: networks by the names of their tensors, and the published ONNX export of MoGe-2.
 *
 * @module
 */
import { openTensors } from "../../models/checkpoint/model_root.ts";
import { inspectNetwork, type NetworkFamily, WEIGHTS_FILE } from "../../models/vision/load_network.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import type { Moge2Config } from "../../models/moge2/config.ts";
import type { GeometryModelProfile, NetworkSizes } from "../contract/model_profile.ts";
import { modelFilesRoot } from "../files/model_files_root.ts";
import { readOnnxFile } from "../onnx_sessions/onnx_file.ts";

/**
 * Sizes of a network; undefined for files of another kind.
 *
 * @param mark A tensor that every network of the family has and no other.
 * @throws {SvcError} `model_invalid` with everything that is wrong with the files.
 */
export async function readNetworkSizes<C>(
  files: ModelFiles,
  family: NetworkFamily<C>,
  mark: string,
): Promise<NetworkSizes | undefined> {
  if (![WEIGHTS_FILE, `${WEIGHTS_FILE}.index.json`].some((name) => files.names.includes(name))) return undefined;
  const root = modelFilesRoot(files, false);
  const tensors = await openTensors(root, WEIGHTS_FILE, []);
  if (!tensors?.tensors.has(mark)) return undefined;
  const { config } = await inspectNetwork(root, family).catch((cause) => {
    if (files.names.includes("config.json")) throw cause;
    throw new Error("Cannot open the model: it has no config.json, add the file to its folder", { cause });
  });
  return config as NetworkSizes;
}

/** SHA-256 of the checkpoint that the weights say they were converted from. */
export async function readSourceHash(files: ModelFiles): Promise<string | undefined> {
  const tensors = await openTensors(modelFilesRoot(files, false), WEIGHTS_FILE, []);
  const hash = tensors?.metadata.get("source_sha256");
  return hash !== undefined && /^[0-9a-f]{64}$/.test(hash) ? hash : undefined;
}

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
