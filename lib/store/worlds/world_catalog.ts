/**
 * Published worlds that `svc model pull` fetches and converts.
 *
 * @module
 */
import type { WorldPart } from "../convert/world/dialects.ts";
import { readFile, rm } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import type { StoreLayout } from "../store_layout.ts";

/** One part of a published world. */
export interface WorldSource {
  readonly part: WorldPart;
  readonly repository: string;
  /** Branch, tag or commit. */
  readonly revision: string;
  /** The repository's files of weights, of which there must be one at least. */
  readonly weights: RegExp;
  /** Bytes of a number there. */
  readonly bytesEach: 2 | 4;
}

/** A published world. */
export interface CatalogWorld {
  readonly id: string;
  readonly kind: "arworld" | "actionworld";
  readonly sources: readonly WorldSource[];
  /** Small files that are taken from the same repositories. */
  readonly beside: RegExp;
  /** SPDX identifiers or the hub's names, by repository, where the hub has none. */
  readonly licenses: Readonly<Record<string, string>>;
  /** Of everything that is downloaded, about. */
  readonly bytes: number;
  readonly about: string;
}

const WAN = { repository: "Wan-AI/Wan2.2-TI2V-5B", revision: "main" };

const COSMOS = {
  repository: "nvidia/Cosmos3-Edge",
  // Later revisions have other weights.
  revision: "6f58f6b4c91288838e60b6bcb2cc45d997e961de",
  bytesEach: 2,
} as const;

/** The worlds. */
export const WORLD_CATALOG: readonly CatalogWorld[] = [
  {
    id: "dreamx-5b",
    kind: "arworld",
    sources: [
      { ...WAN, part: "vae", weights: /^Wan2\.2_VAE\.pth$/, bytesEach: 4 },
      { ...WAN, part: "text encoder", weights: /^models_t5_umt5-xxl-enc-bf16\.pth$/, bytesEach: 2 },
      {
        ...{ part: "causal", repository: "GD-ML/DreamX-World-5B", revision: "main", bytesEach: 4 },
        weights: /^(model|diffusion_pytorch_model)[^/]*\.safetensors(\.index\.json)?$/,
      },
    ],
    beside: /^(config\.json|google\/umt5-xxl\/tokenizer\.json|LICENSE[^/]*)$/,
    licenses: { [WAN.repository]: "Apache-2.0" },
    bytes: 35_300_000_000,
    about: "walks from a picture and a sentence, 512x320 at 16 frames a second",
  },
  {
    id: "cosmos3-edge",
    kind: "actionworld",
    sources: [
      { ...COSMOS, part: "vae", weights: /^vae\/[^/]+\.safetensors(\.index\.json)?$/ },
      { ...COSMOS, part: "transformer", weights: /^transformer\/[^/]+\.safetensors(\.index\.json)?$/ },
      { ...COSMOS, part: "vision encoder", weights: /^vision_encoder\/[^/]+\.safetensors(\.index\.json)?$/ },
    ],
    beside:
      /^((transformer\/|vae\/)?config\.json|scheduler\/scheduler_config\.json|(text_tokenizer\/)?(tokenizer\.json|chat_template\.jinja)|model_index\.json|LICENSE[^/]*)$/,
    licenses: { [COSMOS.repository]: "OpenMDW-1.1" },
    bytes: 9_200_000_000,
    about: "clips of camera moves from a picture and a sentence",
  },
];

/** The published world of this id. */
export function catalogWorld(id: string): CatalogWorld | undefined {
  return WORLD_CATALOG.find((world) => world.id === id);
}

/** In the folder of a pulled world; written last. */
export const WORLD_RECORD = "svc-world.json";

/** A world in the store. */
export interface PulledWorld {
  readonly id: string;
  readonly kind: "arworld" | "actionworld";
  readonly folder: string;
  readonly bytes: number;
  /** Where its parts came from, such as `nvidia/Cosmos3-Edge@6f58f6b`, and under which licenses. */
  readonly sources: readonly { readonly repository: string; readonly revision: string; readonly license?: string }[];
}

/** The pulled world of this id; undefined when there is none. */
export async function pulledWorld(layout: StoreLayout, id: string): Promise<PulledWorld | undefined> {
  if (!catalogWorld(id)) return undefined;
  const folder = layout.world(id);
  try {
    const record = JSON.parse(new TextDecoder().decode(await readFile(join(folder, WORLD_RECORD))));
    return { ...record, id, folder };
  } catch {
    return undefined;
  }
}

/** All pulled worlds. */
export async function pulledWorlds(layout: StoreLayout): Promise<readonly PulledWorld[]> {
  const found = await Promise.all(WORLD_CATALOG.map(({ id }) => pulledWorld(layout, id)));
  return found.filter((world) => world !== undefined);
}

/** Removes a pulled world. */
export async function removeWorld({ folder }: PulledWorld): Promise<void> {
  await rm(join(folder, WORLD_RECORD), { force: true });
  await rm(folder, { recursive: true, force: true });
}
