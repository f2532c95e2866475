/**
 * The places that a world can start at: those that come with the model, and those that were described.
 *
 * @module
 */
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WorldPlace } from "../../lib/world/protocol/wire.ts";
import type { Warnings } from "../session/warnings.ts";
import { startFrom, type UploadParts, warningOf } from "../session/upload.ts";
import { button, byId, element } from "../ui/dom.ts";

/** Described places that are shown; older ones leave. */
const MAX_DESCRIBED = 6;

/** What the gallery does besides what an upload does. */
export interface PlacesParts extends UploadParts {
  /** Takes the first step into a world that has just begun. */
  readonly walkIn: () => void;
  /** What the server has said beside its last answers. */
  readonly warnings: Warnings | undefined;
}

/** A gallery of pictures, each of which is walked into by one click, and the field that makes another one. */
export class PlacesView {
  readonly #parts: PlacesParts;
  readonly #list = byId("places", HTMLElement);
  readonly #own = byId("choose", HTMLElement).parentElement!;
  readonly #described: HTMLElement[] = [];

  constructor(parts: PlacesParts) {
    this.#parts = parts;
    this.#takeDescriptions();
  }

  /** Shows the places that come with the model. */
  async show(places: readonly WorldPlace[]): Promise<void> {
    for (const { prompt, imageMediaPath: path } of places) {
      const bytes = await this.#parts.client.media(path);
      this.#own.before(this.#item(pictureOf(bytes, prompt)));
    }
  }

  #item(picture: File): HTMLElement {
    const { messages, walkIn } = this.#parts;
    const url = URL.createObjectURL(picture);
    const enter = async (): Promise<void> => {
      if (!await startFrom(this.#parts, picture, `“${picture.name}”`)) return;
      byId("prompt", HTMLTextAreaElement).value = picture.name;
      byId("stage", HTMLElement).scrollIntoView({ block: "nearest" });
      walkIn();
    };
    const made = button("", () => void messages.attempt(enter), {
      class: "place",
      title: picture.name,
      "aria-label": `Walk into ${picture.name}`,
    });
    made.append(element("img", { src: url, alt: "" }));
    return element("li", {}, made);
  }

  /** Makes a picture of what is typed, adds it to the gallery, and starts there. */
  #takeDescriptions(): void {
    const { client, messages } = this.#parts;
    const form = byId("describe", HTMLFormElement);
    const [place, go] = [byId("place", HTMLInputElement), byId("describe-go", HTMLButtonElement)];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const prompt = place.value.trim();
      if (prompt === "" || go.disabled) return;
      go.disabled = true;
      messages.say(`Making a picture of “${prompt}”.`);
      void messages.attempt(async () => {
        this.#parts.warnings?.clear();
        const picture = await describedPicture(client, prompt);
        this.#keep(picture);
        const warning = this.#parts.warnings?.taken ?? await warningOf(this.#parts, picture);
        if (!await startFrom(this.#parts, picture, `“${prompt}”`, warning)) return;
        byId("prompt", HTMLTextAreaElement).value = prompt;
      }).finally(() => go.disabled = false);
    });
  }

  #keep(picture: File): void {
    const item = this.#item(picture);
    this.#list.prepend(item);
    this.#described.unshift(item);
    for (const old of this.#described.splice(MAX_DESCRIBED)) {
      URL.revokeObjectURL(old.querySelector("img")!.src);
      old.remove();
    }
  }
}

async function describedPicture(client: WorldClient, prompt: string): Promise<File> {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  return pictureOf(await client.startPicture({ prompt, seed }), prompt);
}

function pictureOf(bytes: Uint8Array, name: string): File {
  return new File([bytes as Uint8Array<ArrayBuffer>], name, { type: "image/png" });
}
