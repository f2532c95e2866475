import type { BackendName, WorldSnapshot } from "../lib/world/protocol/wire.ts";
import { byId, setText } from "./dom.ts";

/** Says which kind of world this is, and shows only what it offers: see `data-only` in the document. */
export function showBackend({ backend, model }: WorldSnapshot): void {
  setText(byId("model", HTMLElement), `${model.id}, an ${backend}`);
  for (const part of document.querySelectorAll<HTMLElement>("[data-only]")) {
    part.hidden = (part.dataset["only"] as BackendName) !== backend;
  }
}
