import type { WorldRecord } from "../../lib/world/protocol/world_record.ts";
import type { WorldList } from "../session/open_client.ts";
import { byId, element, setText } from "../ui/dom.ts";
import type { Messages } from "../ui/messages.ts";

/** Lists the worlds of the server, opens others, and shows the link of this one. */
export class WorldsView {
  readonly #worlds: WorldList;
  readonly #list = byId("worlds", HTMLElement);
  readonly #name = byId("world-name", HTMLInputElement);
  /** Names the world that is being opened, until the server has answered. */
  #key: string | undefined;

  constructor(worlds: WorldList, messages: Messages) {
    this.#worlds = worlds;
    byId("worlds-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void messages.attempt(() => this.#open());
    });
    addEventListener("focus", () => void this.show().catch(() => {}));
    byId("worlds-panel", HTMLElement).hidden = false;
  }

  /** Fetches the worlds and shows them. */
  async show(): Promise<void> {
    const worlds = await this.#worlds.fetch();
    const here = worlds.find((world) => this.#worlds.shows(world));
    if (here) byId("world-link", HTMLTextAreaElement).value = this.#worlds.linkTo(here);
    setText(byId("worlds-count", HTMLElement), `${worlds.length}`);
    const focused = document.activeElement?.getAttribute("href");
    this.#list.replaceChildren(...worlds.map((world, index) => this.#item(world, index)));
    if (focused) this.#list.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
  }

  #item(world: WorldRecord, index: number): HTMLElement {
    const isHere = this.#worlds.shows(world);
    const state = isHere ? "this world" : world.parked ? "parked" : world.phase;
    return element(
      "li",
      {},
      element(
        "a",
        { href: this.#worlds.linkTo(world), ...(isHere && { "aria-current": "page" }) },
        world.name ?? (world.default ? "First world" : `World ${index + 1}`),
      ),
      element("span", { class: "hint" }, state),
    );
  }

  async #open(): Promise<void> {
    this.#key ??= crypto.getRandomValues(new Uint32Array(4)).join("-");
    const world = await this.#worlds.open(this.#name.value.trim(), this.#key);
    this.#key = undefined;
    location.assign(this.#worlds.linkTo(world));
  }
}
