/**
 * The list of installed models, with their state, and the pickers of them.
 *
 * @module
 */
import { button, byId, element, setText } from "../world-page/ui/dom.ts";
import { getJson, post } from "./api.ts";

/** A model of `GET /v1/models`, as far as the page reads it. */
export interface ListedModel {
  readonly id: string;
  readonly task: string;
  readonly reasoning: boolean;
  readonly tool_call: boolean;
  readonly limit?: { readonly context: number };
}

/** `GET /runtime/status`, as far as the page reads it. */
interface Status {
  readonly defaultModel?: string;
  readonly memory: {
    readonly currentBytes?: number;
    readonly ceilingBytes?: number;
    readonly deviceModelBytes?: number;
  };
  readonly models: readonly TextModelState[];
  readonly sidecars: { readonly residents: readonly LaneState[] };
  readonly admission: { readonly activeRequestDetails: readonly ActiveRequest[] };
}

interface TextModelState {
  readonly id: string;
  readonly alias?: string;
  readonly loaded: boolean;
  readonly ready?: boolean;
  readonly device?: string;
  readonly lastError?: string;
  readonly benchmarkStats?: { readonly recentDecodeTokensPerSecond?: number };
}

interface LaneState {
  readonly modelID?: string;
  readonly loaded: boolean;
  readonly ready?: boolean;
}

interface ActiveRequest {
  readonly modelID?: string;
  readonly progress?: { readonly fraction: number };
}

/** What people call the tasks. */
const TASKS: Readonly<Record<string, string>> = {
  "chat.completions": "chat",
  "embeddings": "embeddings",
  "rerank": "reranking",
  "images.generations": "images",
  "images.edits": "image edits",
  "audio.speech": "speech",
  "audio.transcriptions": "transcription",
  "vision.geometry": "geometry",
  "vision.depth": "depth of videos",
  "vision.image_to_3d": "image to 3D",
};

/** Milliseconds between two looks at the server while the page is in sight. */
const INTERVAL = 10_000;

/** Keeps the list of the page current. */
export class ModelsView {
  readonly #fail: (error: unknown) => void;
  readonly #onModels: () => void;
  #models: readonly ListedModel[] = [];
  #shown = "";
  #failed = false;

  /**
   * @param fail Shows an error; undefined when it is over.
   * @param onModels Called when models came or went.
   */
  constructor(fail: (error: unknown) => void, onModels: () => void) {
    this.#fail = fail;
    this.#onModels = onModels;
    setInterval(() => document.visibilityState === "visible" && void this.refresh(), INTERVAL);
  }

  /** All models of a task. */
  of(task: string): readonly ListedModel[] {
    return this.#models.filter((model) => model.task === task);
  }

  /** Asks the server again. */
  async refresh(): Promise<void> {
    try {
      const [{ data }, status] = await Promise.all([
        getJson<{ data: readonly ListedModel[] }>("/v1/models"),
        getJson<Status>("/runtime/status"),
      ]);
      const shown = JSON.stringify([data.map((model) => ({ ...model, created: 0 })), status.defaultModel]);
      this.#models = data;
      if (shown !== this.#shown) {
        this.#shown = shown;
        fillPicker("chat-model", this.of("chat.completions"), status.defaultModel);
        fillPicker("image-model", this.of("images.generations"));
        fillPicker("embedding-model", this.of("embeddings"));
        this.#onModels();
      }
      this.#show(status);
      if (this.#failed) this.#fail(undefined);
      this.#failed = false;
    } catch (error) {
      this.#failed = true;
      this.#fail(error);
    }
  }

  #show(status: Status): void {
    const { currentBytes, ceilingBytes, deviceModelBytes } = status.memory;
    const limit = ceilingBytes ? ` of ${bytesText(ceilingBytes)}` : "";
    const onDevice = deviceModelBytes ? `, ${bytesText(deviceModelBytes)} on the GPU` : "";
    setText(byId("memory", HTMLElement), currentBytes ? `${bytesText(currentBytes)}${limit} of memory${onDevice}` : "");
    byId("none", HTMLElement).hidden = this.of("chat.completions").length > 0;
    const list = byId("models", HTMLElement);
    const focused = document.activeElement?.getAttribute("data-model");
    list.replaceChildren(...this.#models.map((model) => this.#row(model, status)));
    if (focused) list.querySelector<HTMLElement>(`[data-model="${CSS.escape(focused)}"]`)?.focus();
  }

  #row({ id, task, limit }: ListedModel, status: Status): HTMLElement {
    const text = status.models.find((model) => model.id === id || model.alias === id);
    const now = text ?? status.sidecars.residents.find(({ modelID }) => modelID === id);
    const state = !now?.loaded ? "not loaded" : now.ready ? "loaded" : "loading";
    const speed = text?.benchmarkStats?.recentDecodeTokensPerSecond;
    const facts = [
      TASKS[task] ?? task,
      ...limit ? [`${limit.context.toLocaleString("en")} tokens`] : [],
      ...text?.device ? [text.device] : [],
      ...speed ? [`${speed.toFixed(1)} tokens/s`] : [],
    ];
    const about = element(
      "div",
      {},
      element("strong", {}, id),
      element("span", { class: "hint" }, facts.map((fact) => fact.replaceAll(" ", "\u00a0")).join(" · ")),
      ...text?.lastError ? [element("span", { class: "bad" }, text.lastError)] : [],
    );
    const row = element("li", {}, about, element("span", { class: "state", "data-is": state }, state));
    if (text) {
      const action = now?.loaded ? "unload" : "load";
      const label = action === "load" ? "Load" : "Unload";
      row.append(
        button(label, () => void this.#change(id, action), { "data-model": id, "aria-label": `${label} ${id}` }),
      );
    }
    return row;
  }

  async #change(id: string, action: "load" | "unload"): Promise<void> {
    const done = post(`/runtime/models/${encodeURIComponent(id)}/${action}`, {}).catch(this.#fail);
    await this.refresh();
    await done;
    await this.refresh();
  }
}

/** How far the running request of a model is, from 0 to 1; undefined where it is not known. */
export async function progressOf(model: string): Promise<number | undefined> {
  const { admission } = await getJson<Status>("/runtime/status");
  return admission.activeRequestDetails.find(({ modelID }) => modelID === model)?.progress?.fraction;
}

/** Bytes as people read them. */
export function bytesText(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function fillPicker(id: string, models: readonly ListedModel[], preferred?: string): void {
  const picker = byId(id, HTMLSelectElement);
  const { value } = picker;
  picker.replaceChildren(...models.map((model) => element("option", { value: model.id }, model.id)));
  const wanted = [value, preferred].find((name) => models.some((model) => model.id === name));
  if (wanted !== undefined) picker.value = wanted;
  picker.disabled = models.length === 0;
  if (models.length === 0) picker.append(element("option", { value: "" }, "none is installed"));
}
