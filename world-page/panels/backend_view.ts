import type { BackendName, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { byId, setText } from "../ui/dom.ts";

/** Shows the backend, and only the parts of the page that it supports: see `data-only` in the document. */
export function showBackend({ backend, model }: WorldSnapshot): void {
  setText(byId("model", HTMLElement), `${model.id}, an ${backend}`);
  for (const part of document.querySelectorAll<HTMLElement>("[data-only]")) {
    part.hidden = (part.dataset["only"] as BackendName) !== backend;
  }
}
