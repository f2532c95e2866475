/**
 * Merges the nodes of several providers.
 *
 * @module
 */
import type { Manifest, Node } from "./manifest.ts";
import { pinManifest } from "./pin_manifest.ts";

/** A provider in a catalog. */
export interface CatalogProvider {
  /** Its id. */
  readonly id: string;
  /** Version of the provider. */
  readonly version: string;
  /** Of the whole manifest, see {@linkcode pinManifest}. */
  readonly pin: string;
}

/** A node with its provider. */
export interface CatalogNode {
  /** The provider that declares it. */
  readonly provider: CatalogProvider;
  /** The declaration. */
  readonly node: Node;
}

/** Several claims to one name; the catalog has the first one. */
export interface Collision {
  /** Two manifests of one provider, or two nodes with one kind. */
  readonly type: "provider" | "kind";
  /** The provider's id or the kind. */
  readonly name: string;
  /** The claimants, in the order of the manifests; one provider twice when its own manifest repeats a kind. */
  readonly providers: readonly CatalogProvider[];
}

/** The nodes of several providers, with unique kinds. */
export interface Catalog {
  /** All providers. */
  readonly providers: readonly CatalogProvider[];
  /** The graph nodes. */
  readonly nodes: readonly CatalogNode[];
  /** Kinds that several providers declare. */
  readonly collisions: readonly Collision[];
}

/**
 * Merges manifests in order. Of nodes with the same kind, and of manifests of the same provider, the first is taken and
 * the collision reported; repeating the same manifest is not a collision.
 *
 * @throws {TypeError} when a manifest cannot be pinned (see {@linkcode pinManifest})
 * @example
 * ```ts
 * import type { Manifest } from "./manifest.ts";
 * import { mergeCatalog } from "./merge_catalog.ts";
 *
 * const find = async (kind: string, manifests: readonly Manifest[]) =>
 *   (await mergeCatalog(manifests)).nodes.find(({ node }) => node.kind === kind);
 * ```
 */
export async function mergeCatalog(manifests: readonly Manifest[]): Promise<Catalog> {
  const byId = new Map<string, CatalogProvider[]>();
  const byKind = new Map<string, CatalogNode[]>();
  for (const manifest of manifests) {
    const { provider_id: id, provider_version: version } = manifest;
    const provider: CatalogProvider = { id, version, pin: await pinManifest(manifest) };
    const earlier = byId.get(id);
    if (earlier?.some(({ pin }) => pin === provider.pin)) continue;
    if (earlier !== undefined) {
      earlier.push(provider);
      continue;
    }
    byId.set(id, [provider]);
    for (const node of manifest.nodes) {
      const claims = byKind.get(node.kind);
      if (claims === undefined) byKind.set(node.kind, [{ provider, node }]);
      else claims.push({ provider, node });
    }
  }
  const collisions: Collision[] = [];
  for (const [name, providers] of byId) {
    if (providers.length > 1) collisions.push({ type: "provider", name, providers });
  }
  for (const [name, claims] of byKind) {
    if (claims.length > 1) collisions.push({ type: "kind", name, providers: claims.map(({ provider }) => provider) });
  }
  return {
    providers: [...byId.values()].map(([provider]) => provider),
    nodes: [...byKind.values()].map(([claim]) => claim),
    collisions,
  };
}
