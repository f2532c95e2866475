/**
 * The flags of `svc rollout`.
 *
 * @module
 */
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import type { RolloutDataset } from "./rollout_dataset.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { DATASET } from "./read_specs.ts";

/** Flags of every command of rollouts. */
export const rolloutFlags = {
  dataset: { kind: "string", value: "NAME", help: "what the rollouts are kept under" },
  url: {
    kind: "string",
    value: "URL",
    default: "http://127.0.0.1:8790",
    help: "gateway of the fleet; SVC_API_KEY is its key",
  },
  json: { kind: "boolean", help: "print JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const;

/**
 * The dataset that a command means.
 *
 * @throws {UsageError} for an invalid name or address.
 */
export function readDatasetFlags(
  command: string,
  { dataset, url }: { readonly dataset: string | undefined; readonly url: string },
  env: Readonly<Record<string, string | undefined>> = thisPlatform().env,
): RolloutDataset {
  if (dataset === undefined || !DATASET.test(dataset)) {
    const found = dataset === undefined ? "--dataset is missing" : `--dataset is "${dataset}"`;
    throw new UsageError(`Cannot run ${command}: ${found}, expected lower-case letters, digits and inner hyphens`);
  }
  if (!(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    throw new UsageError(`Cannot run ${command}: --url is "${url}", expected http://HOST:PORT`);
  }
  const apiKey = env["SVC_API_KEY"]?.trim();
  return new WorldClient(url, apiKey ? { apiKey } : {}).rollouts(dataset);
}
