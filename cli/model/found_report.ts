/**
 * Models of other programs as text.
 *
 * @module
 */
import { showBytes } from "../../lib/errors/show.ts";
import { printable } from "../manifest/manifest_report.ts";
import type { FoundModel } from "../../lib/store/found/find_models.ts";
import type { FoundToPull } from "../../lib/store/search_models.ts";
import type { MemoryFit } from "../../lib/store/memory_fit.ts";

/** A found model with what the machine makes of it. */
export interface JudgedModel extends FoundModel {
  readonly memory?: MemoryFit;
}

/** Two lines for each: what it is, and how to use it in place or why not. */
export function foundLines(models: readonly JudgedModel[]): string[] {
  if (models.length === 0) return ["No models found in the caches of the Hugging Face hub, Ollama and LM Studio"];
  return models.flatMap(({ origin, name, path, id, bytes, engine, memory, problem }) => {
    const facts = [engine, bytes === undefined ? undefined : showBytes(bytes), engine && memory];
    const head = `${name} (${[origin, ...facts].filter((fact) => fact !== undefined).join(", ")})`;
    const way = problem === undefined
      ? `svc model add ${quoted(path)} --id ${id} --link`
      : `cannot be used: ${problem}`;
    return [head, `  ${way}`].map(printable);
  });
}

/** A line for each model that can be pulled. */
export function hitLines({ catalog, hub }: FoundToPull): string[] {
  const lines = [
    ...catalog.map(({ id, about }) => `svc model pull ${id}  (${about})`),
    ...hub.map(({ name, format, downloads, gated }) =>
      `svc model pull ${name}  (${format}, ${downloads} downloads${gated ? ", gated" : ""})`
    ),
  ];
  return lines.length === 0 ? ["No models found"] : lines.map(printable);
}

/** A word for a shell. */
function quoted(path: string): string {
  return /^[\w./:\\~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
