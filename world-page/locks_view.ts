import type { WorldClient } from "../lib/world/client/world_client.ts";
import type { CheckpointRecord, WorldSnapshot } from "../lib/world/protocol/wire.ts";
import { confirmLoss } from "./confirm.ts";
import { button, byId, element, setText } from "./dom.ts";
import type { Messages } from "./messages.ts";
import type { Turns } from "./turns.ts";

/** The locks of the session with their pictures: made, returned to, given up. */
export class LocksView {
  readonly #client: WorldClient;
  readonly #turns: Turns;
  readonly #messages: Messages;
  readonly #onChange: () => void;
  readonly #list = byId("locks", HTMLElement);
  readonly #name = byId("lock-name", HTMLInputElement);
  readonly #frames = new Map<string, string>();
  #locks: readonly CheckpointRecord[] = [];
  #known = "";

  constructor(client: WorldClient, turns: Turns, messages: Messages, onChange: () => void) {
    this.#client = client;
    this.#turns = turns;
    this.#messages = messages;
    this.#onChange = onChange;
    byId("lock-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void messages.attempt(() => this.#create());
    });
  }

  /** The locks as they are shown. */
  get locks(): readonly CheckpointRecord[] {
    return this.#locks;
  }

  /** Asks for the locks when a snapshot shows that there are others than before; some kinds of world have none. */
  snapshot({ session_id, checkpoint_count: count, phase, state_ids, states }: WorldSnapshot): void {
    for (const id of ["locks-panel", "locked-legend"]) byId(id, HTMLElement).hidden = count === undefined;
    this.#name.placeholder = state_ids.length > 0 ? suggestion(states.length) : "";
    const known = `${session_id} ${count} ${count ? phase === "cold" : ""}`;
    if (known === this.#known) return;
    this.#known = known;
    void this.#messages.attempt(async () => this.#show(count ? await this.#client.checkpoints() : []));
  }

  /** Goes back to a lock. */
  restore({ checkpoint_id, name }: CheckpointRecord): Promise<void> {
    return this.#messages.attempt(async () => {
      await this.#turns.take(() => this.#client.restoreCheckpoint(checkpoint_id));
      this.#messages.say(`Returned to the lock ${name}.`);
    });
  }

  async #create(): Promise<void> {
    const name = this.#name.value.trim() || this.#name.placeholder || suggestion(1);
    const lock = await this.#turns.take(() => this.#client.createCheckpoint(name));
    this.#name.value = "";
    await this.#reload();
    this.#messages.say(`Locked this place as ${lock.name}.`);
  }

  async #delete({ checkpoint_id, name }: CheckpointRecord): Promise<void> {
    if (!await confirmLoss(`Give the lock ${name} up? Where only it leads cannot be returned to then.`, "Give it up")) {
      return;
    }
    await this.#turns.take(() => this.#client.deleteCheckpoint(checkpoint_id));
    await this.#reload();
    this.#messages.say(`Gave the lock ${name} up.`);
  }

  async #reload(): Promise<void> {
    await this.#show(await this.#client.checkpoints());
  }

  async #show(locks: readonly CheckpointRecord[]): Promise<void> {
    await Promise.all(locks.map((lock) => this.#loadFrame(lock)));
    this.#locks = locks;
    for (const [id, url] of this.#frames) {
      if (locks.some(({ checkpoint_id }) => checkpoint_id === id)) continue;
      URL.revokeObjectURL(url);
      this.#frames.delete(id);
    }
    setText(byId("lock-count", HTMLElement), locks.length === 0 ? "" : `${locks.length}`);
    const none = element("li", { class: "hint" }, "A lock keeps a place, so that you can return to it from anywhere.");
    this.#list.replaceChildren(...(locks.length === 0 ? [none] : locks.map((lock) => this.#item(lock))));
    this.#onChange();
  }

  #item(lock: CheckpointRecord): HTMLElement {
    const { name, transition_index: index } = lock;
    return element(
      "li",
      { class: "lock" },
      element("img", { src: this.#frames.get(lock.checkpoint_id), alt: "" }),
      element(
        "div",
        {},
        element("strong", {}, name),
        element("span", { class: "hint" }, index === 0 ? "Start" : `Place ${index}`),
      ),
      button("Return", () => void this.restore(lock), { "aria-label": `Return to ${name}` }),
      button("×", () => void this.#messages.attempt(() => this.#delete(lock)), {
        class: "quiet",
        "aria-label": `Give ${name} up`,
      }),
    );
  }

  async #loadFrame({ checkpoint_id: id, frame_media_path: path }: CheckpointRecord): Promise<void> {
    if (this.#frames.has(id)) return;
    const bytes = await this.#client.media(path);
    this.#frames.set(id, URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" })));
  }
}

function suggestion(places: number): string {
  return `Lock ${places}`;
}
