import { showBytes } from "../lib/pool/show_bytes.ts";
import type { CatalogModel } from "../lib/store/catalog.ts";
import type { InstalledModel, RuntimeSettings } from "../lib/store/installed_model.ts";
import { profileJson } from "../lib/store/profile_json.ts";
import { settingsJson } from "../lib/store/runtime_settings.ts";
import { printable } from "./manifest_report.ts";

const NO_ENGINE = "no engine yet";

/** A model in a line, such as `qwen3 (chat.completions, onnx-text, 560 MiB)`. */
export function modelLine({ id, task, profile, bytes }: InstalledModel): string {
  return `${id} (${task}, ${profile?.engine ?? NO_ENGINE}, ${showBytes(bytes)})`;
}

/** Everything that is known of an installed model, as JSON. */
export function modelJson(model: InstalledModel, settings: RuntimeSettings): Readonly<Record<string, unknown>> {
  const { profile, ...others } = model;
  return { ...others, ...(profile ? { profile: profileJson(profile) } : {}), settings: settingsJson(settings) };
}

/** Everything that is known of an installed model, in words. */
export function modelLines(model: InstalledModel, settings: RuntimeSettings): string[] {
  const { id, task, profile, folder, bytes, installedAt, source, license, files } = model;
  const chat = profile?.kind === "chat" ? profile : undefined;
  const rows: [string, string | undefined][] = [
    ["Id", id],
    ["Task", task],
    ["Engine", profile?.engine ?? NO_ENGINE],
    ["Context", profile && `${profile.context} tokens`],
    ["Dimensions", profile?.kind === "embedding" ? `${profile.dimensions}` : undefined],
    ["Features", chat && [...chat.capabilities.features].sort().join(", ")],
    [
      "Thinking",
      chat?.capabilities.reasoning && (chat.capabilities.reasoning.optional ? "can be switched off" : "always"),
    ],
    ["Folder", folder],
    ["Size", showBytes(bytes)],
    ["Installed", installedAt],
    ["From", source && `${source.repository} at ${source.revision}`],
    ["License", license],
    ["Settings", JSON.stringify(settingsJson(settings))],
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== "");
  const head = known.map(([name, value]) => `${name.padEnd(12)}${printable(value)}`);
  return [...head, "Files", ...files.map((file) => `  ${printable(file.path)} (${showBytes(file.bytes)})`)];
}

/** A model of a list. */
export interface ListedModel {
  readonly id: string;
  readonly task: string;
  /** Undefined where no engine serves the task. */
  readonly engine: string | undefined;
  readonly status: "installed" | "broken" | "missing";
  readonly bytes: number | undefined;
  readonly alias: string | undefined;
}

/** Models that are installed, then those that could be. */
export function listModels(
  models: readonly InstalledModel[],
  broken: readonly { readonly id: string }[],
  catalog: readonly CatalogModel[],
  settings: ReadonlyMap<string, RuntimeSettings>,
): ListedModel[] {
  const alias = (id: string) => settings.get(id)?.alias;
  const there = models.map(({ id, task, profile, bytes }): ListedModel => (
    { id, task, engine: profile?.engine, status: "installed", bytes, alias: alias(id) }
  ));
  const unreadable = broken.map(({ id }): ListedModel => (
    { id, task: "", engine: undefined, status: "broken", bytes: undefined, alias: alias(id) }
  ));
  const taken = new Set([...there, ...unreadable].map(({ id }) => id));
  const missing = catalog.filter(({ id }) => !taken.has(id)).map(({ id, task, engine }): ListedModel => (
    { id, task, engine, status: "missing", bytes: undefined, alias: alias(id) }
  ));
  return [...there, ...unreadable, ...missing];
}

/** The list as a table. */
export function listLines(models: readonly ListedModel[]): string[] {
  const head = ["ID", "TASK", "ENGINE", "STATUS", "SIZE", "ALIAS"];
  const rows = models.map(({ id, task, engine, status, bytes, alias }) => [
    ...[id, task, engine ?? (status === "broken" ? "" : NO_ENGINE), status],
    ...[bytes === undefined ? "" : showBytes(bytes), alias ?? ""],
  ]);
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
  return [head, ...rows].map((row) => row.map((cell, i) => printable(cell).padEnd(widths[i])).join("  ").trimEnd());
}
