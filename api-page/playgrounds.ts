/**
 * Images and embeddings.
 *
 * @module
 */
import { byId, element, setText } from "../world-page/ui/dom.ts";
import { eventsOf, post, warningsOf } from "./api.ts";
import type { CodeView } from "./code_view.ts";
import { progressOf } from "./models_view.ts";

/** What the playgrounds share with the rest of the page. */
export interface PlaygroundParts {
  readonly code: CodeView;
  /** Runs a request and shows what it fails with. */
  readonly attempt: (work: () => Promise<void>) => Promise<void>;
}

interface ImageEvent {
  readonly type: string;
  readonly b64_json: string;
  readonly partial_image_index?: number;
  readonly seed?: string;
}

const IMAGES = "/v1/images/generations";

/** Previews of an image. */
const PREVIEWS = 3;

/** Makes images from a prompt. */
export function imagePlayground({ code, attempt }: PlaygroundParts): void {
  const [form, image] = [byId("image-form", HTMLFormElement), byId("image", HTMLImageElement)];
  const [go, stop] = [byId("image-go", HTMLButtonElement), byId("image-stop", HTMLButtonElement)];
  const [status, bar] = [byId("image-status", HTMLElement), byId("image-progress", HTMLProgressElement)];
  let aborter = new AbortController();
  stop.addEventListener("click", () => aborter.abort());
  const show = async ({ b64_json }: ImageEvent, alt: string): Promise<void> => {
    const bytes = Uint8Array.from(atob(b64_json), (letter) => letter.charCodeAt(0));
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    image.alt = alt;
    await image.decode().catch(() => {});
    image.hidden = false;
  };
  const make = async (): Promise<void> => {
    const { signal } = aborter = new AbortController();
    const prompt = byId("image-prompt", HTMLTextAreaElement).value;
    const [steps, seed] = [byId("image-steps", HTMLInputElement).value, byId("image-seed", HTMLInputElement).value];
    const body = {
      model: byId("image-model", HTMLSelectElement).value,
      prompt,
      size: byId("image-size", HTMLInputElement).value,
      ...steps ? { steps: Number(steps) } : {},
      ...seed ? { seed } : {},
      stream: true,
      partial_images: PREVIEWS,
    };
    code.show({ path: IMAGES, body });
    const begun = performance.now();
    setText(status, "Waiting for the model");
    const timer = setInterval(() => {
      void progressOf(body.model).then((fraction) => fraction !== undefined && (bar.value = fraction), () => {});
    }, 1000);
    try {
      const response = await post(IMAGES, body, signal);
      for await (const event of eventsOf<ImageEvent>(response, signal)) {
        await show(event, prompt);
        const seconds = ((performance.now() - begun) / 1000).toFixed(1);
        if (event.type.endsWith(".completed")) {
          setText(status, [`${seconds} s, seed ${event.seed}`, warningsOf(response)].filter(Boolean).join(" · "));
        } else setText(status, `Preview ${(event.partial_image_index ?? 0) + 1}`);
      }
    } finally {
      clearInterval(timer);
      if (signal.aborted) setText(status, "Stopped");
    }
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    [go.hidden, stop.hidden, bar.hidden, bar.value] = [true, false, false, 0];
    stop.focus();
    await attempt(make);
    [go.hidden, stop.hidden, bar.hidden] = [false, true, true];
    go.focus();
  });
}

const EMBEDDINGS = "/v1/embeddings";

interface EmbeddingAnswer {
  readonly data: readonly { readonly embedding: readonly number[] }[];
}

/** Compares three sentences by the cosine of their vectors. */
export function embeddingPlayground({ code, attempt }: PlaygroundParts): void {
  const go = byId("embedding-go", HTMLButtonElement);
  const compare = async (): Promise<void> => {
    const input = [0, 1, 2].map((i) => byId(`embedding-${i}`, HTMLInputElement).value);
    const body = { model: byId("embedding-model", HTMLSelectElement).value, input, encoding_format: "float" };
    code.show({ path: EMBEDDINGS, body });
    const begun = performance.now();
    const response = await post(EMBEDDINGS, body);
    const vectors = (await response.json() as EmbeddingAnswer).data.map(({ embedding }) => embedding);
    const ms = Math.round(performance.now() - begun);
    const facts = [`${vectors[0].length} dimensions, ${ms} ms`, warningsOf(response)].filter(Boolean);
    setText(byId("embedding-status", HTMLElement), facts.join(" · "));
    byId("embedding-table", HTMLElement).replaceChildren(similarityTable(input, vectors));
  };
  byId("embedding-form", HTMLFormElement).addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    await attempt(compare);
    go.disabled = false;
    go.focus();
  });
}

function similarityTable(input: readonly string[], vectors: readonly (readonly number[])[]): HTMLElement {
  const head = ["", ...input].map((text) => element(text ? "th" : "td", text ? { scope: "col" } : {}, text));
  const rows = vectors.map((row, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, input[i]),
      ...vectors.map((column) => element("td", {}, cosine(row, column).toFixed(3))),
    )
  );
  return element(
    "table",
    {},
    element("caption", {}, "Cosine similarity: 1 for the same direction"),
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + value * y[i], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
