/**
 * Models of Ollama.
 *
 * @module
 */
import * as v from "valibot";
import { readdir, readFile, stat } from "../../../platform/files/file_system.ts";
import { join } from "../../../platform/files/paths.ts";
import { type FoundFiles, MAX_FOUND } from "./found_files.ts";

/** A manifest is a list of a few layers. */
const MAX_MANIFEST = 1 << 20;

const manifestSchema = v.object({
  layers: v.array(v.object({
    mediaType: v.string(),
    digest: v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/)),
  })),
});

const WEIGHTS = "application/vnd.ollama.image.model";

/**
 * Models by their manifests, `manifests/HOST/NAMESPACE/NAME/TAG`: each names a blob, a GGUF file whose name is its hash.
 *
 * @param folder Such as `~/.ollama/models`.
 */
export async function findOllamaModels(folder: string): Promise<FoundFiles[]> {
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
  const found: FoundFiles[] = [];
  for (const place of places.sort((a, b) => a.join("/") < b.join("/") ? -1 : 1)) {
    const digest = await weightsOf(join(manifests, ...place)).catch(() => undefined);
    if (digest === undefined) continue;
    const [host, namespace, name, tag] = place;
    const owner = namespace === "library" ? "" : `${namespace}/`;
    const where = host === "registry.ollama.ai" ? "" : `${host}/`;
    found.push({
      origin: "ollama",
      name: `${where}${owner}${name}:${tag}`,
      path: join(folder, "blobs", digest.replace(":", "-")),
    });
  }
  return found;
}

async function weightsOf(manifest: string): Promise<string | undefined> {
  const info = await stat(manifest);
  // Reading from a pipe would wait for ever.
  if (!info.isFile() || info.size > MAX_MANIFEST) return undefined;
  const { layers } = v.parse(manifestSchema, JSON.parse(await readFile(manifest, "utf8")));
  return layers.find(({ mediaType }) => mediaType === WEIGHTS)?.digest;
}
