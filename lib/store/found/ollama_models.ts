/**
 * Models of Ollama.
 *
 * @module
 */
import * as v from "valibot";
import { readdir, readFile, stat } from "../../platform/files/file_system.ts";
import { basename, dirname, join } from "../../platform/files/paths.ts";
import { type FoundFiles, MAX_FOUND } from "./local_caches.ts";

/** A manifest is a list of a few layers. */
const MAX_MANIFEST = 1 << 20;

const manifestSchema = v.object({
  layers: v.array(v.object({
    mediaType: v.string(),
    digest: v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/)),
  })),
});

const WEIGHTS = "application/vnd.ollama.image.model";
const PROJECTOR = "application/vnd.ollama.image.projector";

/** Blobs of a model: GGUF files whose names are their hashes. */
interface ManifestBlobs {
  /** Host, namespace, name and tag. */
  readonly place: readonly string[];
  readonly weights: string;
  readonly projector: string | undefined;
}

/**
 * Models by their manifests, `manifests/HOST/NAMESPACE/NAME/TAG`.
 *
 * @param folder Such as `~/.ollama/models`.
 */
export async function findOllamaModels(folder: string): Promise<FoundFiles[]> {
  return (await readManifests(folder)).map(({ place: [host, namespace, name, tag], weights }) => {
    const owner = namespace === "library" ? "" : `${namespace}/`;
    const where = host === "registry.ollama.ai" ? "" : `${host}/`;
    return { origin: "ollama", name: `${where}${owner}${name}:${tag}`, path: weights };
  });
}

/** The projector of images that a manifest names beside a blob with weights; undefined for none. */
export async function findOllamaProjector(blob: string): Promise<string | undefined> {
  const blobs = dirname(blob);
  if (basename(blobs) !== "blobs") return undefined;
  const models = await readManifests(dirname(blobs));
  const named = models.find(({ weights, projector }) => weights === blob && projector !== undefined)?.projector;
  const info = named && await stat(named).catch(() => undefined);
  return info && info.isFile() ? named : undefined;
}

async function readManifests(folder: string): Promise<ManifestBlobs[]> {
  const manifests = join(folder, "manifests");
  let places: string[][] = [[]];
  for (let depth = 0; depth < 4; depth++) {
    const below = await Promise.all(
      places.map(async (place) =>
        (await readdir(join(manifests, ...place)).catch(() => [] as string[]))
          .filter((name) => !name.startsWith("."))
          .map((name) => [...place, name])
      ),
    );
    places = below.flat().slice(0, MAX_FOUND);
  }
  const found: ManifestBlobs[] = [];
  for (const place of places.sort((a, b) => a.join("/") < b.join("/") ? -1 : 1)) {
    const layers = await readLayers(join(manifests, ...place)).catch(() => []);
    const blobOf = (type: string): string | undefined => {
      const digest = layers.find(({ mediaType }) => mediaType === type)?.digest;
      return digest && join(folder, "blobs", digest.replace(":", "-"));
    };
    const weights = blobOf(WEIGHTS);
    if (weights !== undefined) found.push({ place, weights, projector: blobOf(PROJECTOR) });
  }
  return found;
}

async function readLayers(manifest: string): Promise<v.InferOutput<typeof manifestSchema>["layers"]> {
  const info = await stat(manifest);
  // Reading from a pipe would wait forever.
  if (!info.isFile() || info.size > MAX_MANIFEST) return [];
  return v.parse(manifestSchema, JSON.parse(await readFile(manifest, "utf8"))).layers;
}
