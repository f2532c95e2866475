/**
 * Recognises networks by the names of their tensors.
 *
 * @module
 */
import { inspectNetwork, type NetworkFamily, WEIGHTS_FILE } from "../../models/vision/load_network.ts";
import { openTensors } from "../../models/checkpoint/model_root.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { modelFilesRoot } from "../files/model_files_root.ts";
import type { NetworkSizes } from "../contract/model_profile.ts";

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
  const { config } = await inspectNetwork(root, family);
  return config as NetworkSizes;
}

/** SHA-256 of the checkpoint that the weights say they were converted from. */
export async function readSourceHash(files: ModelFiles): Promise<string | undefined> {
  const tensors = await openTensors(modelFilesRoot(files, false), WEIGHTS_FILE, []);
  const hash = tensors?.metadata.get("source_sha256");
  return hash !== undefined && /^[0-9a-f]{64}$/.test(hash) ? hash : undefined;
}
