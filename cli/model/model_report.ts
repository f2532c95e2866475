import { showBytes } from "../../lib/errors/show.ts";
import type { CatalogModel } from "../../lib/store/catalog/catalog.ts";
import { formOf } from "../../lib/store/catalog/model_form.ts";
import type { InstalledModel, RuntimeSettings } from "../../lib/store/catalog/installed_model.ts";
import { profileJson } from "../../lib/store/catalog/detect_model.ts";
import type { SamplingSettings } from "../../lib/protocol/mod.ts";
import { settingsJson } from "../../lib/store/catalog/runtime_settings.ts";
import { TRANSFORMERS_PACKAGE } from "../../lib/engines/transformers_js/transformers_library.ts";
import { LLAMA_NODE_PACKAGE } from "../../lib/engines/gguf_text/images/llama_node_library.ts";
import { type PulledWorld, WORLD_CATALOG } from "../../lib/store/worlds/world_catalog.ts";
import type { FoundModel } from "../../lib/store/found/find_models.ts";
import { bold, green, type Paint, printable, red, yellow } from "../../lib/platform/terminal/terminal_text.ts";
import type { MemoryFit } from "../../lib/store/free_space.ts";

const NO_ENGINE = "no engine yet";

/** One line for a model, such as `qwen3 (chat.completions, onnx-text, 560 MiB)`. */
export function modelLine({ id, task, profile, bytes }: InstalledModel): string {
  return `${id} (${task}, ${profile?.engine ?? NO_ENGINE}, ${showBytes(bytes)})`;
}

/** All details of an installed model, as JSON. */
export function modelJson(model: InstalledModel, settings: RuntimeSettings): Readonly<Record<string, unknown>> {
  const { profile, ...others } = model;
  return { ...others, ...(profile ? { profile: profileJson(profile) } : {}), settings: settingsJson(settings) };
}

/** All details of an installed model, as text. */
export function modelLines(model: InstalledModel, settings: RuntimeSettings): string[] {
  const { id, task, profile, folder, bytes, installedAt, source, license, files, test } = model;
  const chat = profile?.kind === "chat" ? profile : undefined;
  const rows: [string, string | undefined][] = [
    ["Id", id],
    ["Test", test ? "yes: its weights are random or scripted, its answers mean nothing" : undefined],
    ["Task", task],
    ["Engine", profile?.engine ?? NO_ENGINE],
    ["Context", profile && "context" in profile ? `${profile.context} tokens` : undefined],
    ["Dimensions", profile?.kind === "embedding" ? `${profile.dimensions}` : undefined],
    ["Voices", profile?.kind === "speech" ? profile.voices.join(", ") : undefined],
    ["Features", chat && [...chat.capabilities.features].sort().join(", ")],
    [
      "Thinking",
      chat?.capabilities.reasoning && (chat.capabilities.reasoning.optional ? "optional" : "always on"),
    ],
    ["Sampling", chat && samplingText(chat.sampling, settings)],
    ["Folder", folder],
    ["Size", showBytes(bytes)],
    ["Installed", installedAt],
    ["From", source && `${source.repository} at ${source.revision}`],
    ["License", license],
    ["Settings", JSON.stringify(settingsJson(settings))],
  ];
  return [...rowLines(rows), "Files", ...files.map((file) => `  ${printable(file.path)} (${showBytes(file.bytes)})`)];
}

/** Such as `temperature 0.8, top_k 40, top_p 0.95, min_p 0.05`: runtime settings win over the model's own values. */
function samplingText({ temperature, topK, topP, minP }: SamplingSettings, settings: RuntimeSettings): string {
  const chosen = { temperature: settings.temperature ?? temperature, top_k: topK };
  const values = { ...chosen, top_p: settings.topP ?? topP, min_p: settings.minP ?? minP };
  return Object.entries(values).map(([name, value]) => `${name} ${value}`).join(", ");
}

/** All details of a model that is not installed, as text. */
export function catalogLines(entry: CatalogModel): string[] {
  const { id, task, engine, about, repository, revision, quantization, context, bytes, license, abilities, otherForm } =
    entry;
  const rows: [string, string | undefined][] = [
    ["Id", id],
    ["Task", task],
    ["About", about],
    ["Engine", engine ?? NO_ENGINE],
    ["Needs", packageOf(entry)],
    ["Abilities", abilities?.join(", ")],
    ["Context", context === undefined ? undefined : `${context} tokens`],
    ["From", `${repository} at ${revision}`],
    ["Weights", quantization],
    ["Size", bytes === undefined ? undefined : `about ${showBytes(bytes)}`],
    ["Other form", otherForm && `${formOf(otherForm)}, ${otherForm.repository} at ${otherForm.revision}`],
    ["License", license],
    ["Status", `not installed, run svc model pull ${id}`],
  ];
  return rowLines(rows);
}

/** How to install the optional package that a model's engine needs. */
export function packageOf({ engine, abilities }: CatalogModel): string | undefined {
  if (engine === "transformers-js") return `npm install ${TRANSFORMERS_PACKAGE}`;
  const seesByProjector = engine === "gguf-text" && abilities?.includes("images");
  return seesByProjector ? `npm install ${LLAMA_NODE_PACKAGE} for images` : undefined;
}

/** A model of the list; unknown values are absent. */
interface ListedModel {
  readonly id: string;
  readonly status: "installed" | "broken" | "missing";
  /** Whether it is for tests: the table has that for its status. */
  readonly test?: boolean;
  readonly task?: string;
  /** Absent where no engine serves the task. */
  readonly engine?: string;
  /** Approximate for a model that is not installed. */
  readonly bytes?: number;
  readonly alias?: string;
  /** Whether it fits into the memory of this machine; absent where its size is unknown. */
  readonly memory?: MemoryFit;
  /** What it is for; from the catalog. */
  readonly about?: string;
}

/** Installed models, then those that can be pulled. */
export function listModels(
  models: readonly InstalledModel[],
  broken: readonly { readonly id: string }[],
  catalog: readonly CatalogModel[],
  settings: ReadonlyMap<string, RuntimeSettings>,
  fit: (bytes: number) => MemoryFit,
): ListedModel[] {
  const taken = new Set([...models, ...broken].map(({ id }) => id));
  const listed: ListedModel[] = [
    ...models.map(({ id, task, profile, bytes, test }): ListedModel => ({
      ...{ id, status: "installed", task, bytes },
      ...(test ? { test } : {}),
      ...(profile ? { engine: profile.engine } : {}),
    })),
    ...broken.map(({ id }): ListedModel => ({ id, status: "broken" })),
    ...catalog.filter(({ id }) => !taken.has(id)).map(({ id, task, engine, bytes, about }): ListedModel => ({
      ...{ id, status: "missing", task, about },
      ...(engine ? { engine } : {}),
      ...(bytes ? { bytes } : {}),
    })),
  ];
  return listed.map((known) => {
    const one = known.bytes === undefined ? known : { ...known, memory: fit(known.bytes) };
    const alias = settings.get(one.id)?.alias;
    return alias === undefined ? one : { ...one, alias };
  });
}

/** The list as a table. */
export function listLines(models: readonly ListedModel[]): string[] {
  const head = ["ID", "TASK", "ENGINE", "STATUS", "SIZE", "MEMORY", "ALIAS"];
  const rows = models.map(({ id, task, engine, status, test, bytes, memory, alias }) => [
    ...[id, task ?? "", engine ?? (task === undefined ? "" : NO_ENGINE), test ? "test" : status],
    ...[bytes === undefined ? "" : showBytes(bytes), memory ?? "", alias ?? ""],
  ]);
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
  return [head, ...rows].map((row) => row.map((cell, i) => printable(cell).padEnd(widths[i])).join("  ").trimEnd());
}

/** Colours a line of {@linkcode listLines}: the head, what is installed, and what does not fit. */
export const paintListLine: Paint = (shown) =>
  shown.startsWith("ID ")
    ? bold(shown)
    : shown.replace(/(?<= {2})installed(?= {2,})/, green).replace(/(?<= {2})(?:test|tight)\b/, yellow)
      .replace(/(?<= {2})(?:broken|too large)\b/, red);

function rowLines(rows: readonly (readonly [string, string | undefined])[]): string[] {
  return rows.flatMap(([name, value]) => value ? [`${name.padEnd(12)}${printable(value)}`] : []);
}

/** Prints runtime settings, one per line or as JSON. */
export function printSettings(
  { out }: { readonly out: (line: string) => void },
  id: string,
  settings: RuntimeSettings,
  json: boolean,
): void {
  const stored = settingsJson(settings);
  if (json) out(JSON.stringify({ id, settings: stored }, undefined, 2));
  else for (const [key, value] of Object.entries(stored)) out(`${key.padEnd(18)}${value}`);
}

/** A line for every world, pulled or not. */
export function worldLines(pulled: readonly PulledWorld[]): string[] {
  const lines = WORLD_CATALOG.map(({ id, bytes, about }) => {
    const here = pulled.find((world) => world.id === id);
    const state = here ? `pulled, ${showBytes(here.bytes)}` : `svc model pull ${id} (${showBytes(bytes)})`;
    return `${id}  ${about}: ${state}`;
  });
  return ["", "Worlds for svc world serve --model ID", ...lines];
}

/** A found model with what the machine makes of it. */
interface JudgedModel extends FoundModel {
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

/** A word for a shell. */
function quoted(path: string): string {
  return /^[\w./:\\~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
