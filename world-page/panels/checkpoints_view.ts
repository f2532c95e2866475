import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { CheckpointRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { button, byId, confirmLoss, element, setText } from "../ui/dom.ts";
import type { Messages } from "../ui/messages.ts";
import type { Turns } from "../session/session_feed.ts";

/** Lists the checkpoints of the session, called "saved places" on the page, with their pictures; creates, restores and deletes them. */
export class CheckpointsView {
  readonly #client: WorldClient;
  readonly #turns: Turns;
  readonly #messages: Messages;
  readonly #onChange: () => void;
  readonly #list = byId("saved", HTMLElement);
  readonly #name = byId("saved-name", HTMLInputElement);
  readonly #frames = new Map<string, string>();
  #checkpoints: readonly CheckpointRecord[] = [];
  #known = "";
  #hasPlace = false;

  constructor(client: WorldClient, turns: Turns, messages: Messages, onChange: () => void) {
    this.#client = client;
    this.#turns = turns;
    this.#messages = messages;
    this.#onChange = onChange;
    byId("saved-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void messages.attempt(() => this.#create());
    });
  }

  /** The checkpoints shown. */
  get checkpoints(): readonly CheckpointRecord[] {
    return this.#checkpoints;
  }

  /** Fetches the checkpoints when a snapshot shows that they have changed; some backends have none. */
  snapshot({ sessionId, checkpointCount: count, phase, stateIds }: WorldSnapshot): void {
    for (const id of ["saved-panel", "saved-legend"]) byId(id, HTMLElement).hidden = count === undefined;
    this.#hasPlace = stateIds.length > 0;
    this.#suggest();
    const known = `${sessionId} ${count} ${count ? phase === "cold" : ""}`;
    if (known === this.#known) return;
    this.#known = known;
    void this.#messages.attempt(async () => this.#show(count ? await this.#client.checkpoints() : []));
  }

  /** Returns to a checkpoint. */
  restore({ checkpointId, name }: CheckpointRecord): Promise<void> {
    return this.#messages.attempt(async () => {
      await this.#turns.take(() => this.#client.restoreCheckpoint(checkpointId));
      this.#messages.say(`Returned to ${name}.`);
    });
  }

  async #create(): Promise<void> {
    const name = this.#name.value.trim() || this.#suggestion;
    const checkpoint = await this.#turns.take(() => this.#client.createCheckpoint(name));
    this.#name.value = "";
    await this.#reload();
    this.#messages.say(`Saved this place as ${checkpoint.name}.`);
  }

  async #delete({ checkpointId, name }: CheckpointRecord): Promise<void> {
    if (
      !await confirmLoss(
        `Delete the saved place “${name}”? States that only it leads to cannot be returned to afterwards.`,
        "Delete",
      )
    ) {
      return;
    }
    await this.#turns.take(() => this.#client.deleteCheckpoint(checkpointId));
    await this.#reload();
    this.#messages.say(`Deleted the saved place ${name}.`);
  }

  async #reload(): Promise<void> {
    await this.#show(await this.#client.checkpoints());
  }

  async #show(checkpoints: readonly CheckpointRecord[]): Promise<void> {
    await Promise.all(checkpoints.map((checkpoint) => this.#loadFrame(checkpoint)));
    this.#checkpoints = checkpoints;
    for (const [id, url] of this.#frames) {
      if (checkpoints.some(({ checkpointId }) => checkpointId === id)) continue;
      URL.revokeObjectURL(url);
      this.#frames.delete(id);
    }
    setText(byId("saved-count", HTMLElement), checkpoints.length === 0 ? "" : `${checkpoints.length}`);
    const none = element("li", { class: "hint" }, "Save a place to return to it from anywhere.");
    this.#list.replaceChildren(
      ...(checkpoints.length === 0 ? [none] : checkpoints.map((checkpoint) => this.#item(checkpoint))),
    );
    this.#suggest();
    this.#onChange();
  }

  #suggest(): void {
    this.#name.placeholder = this.#hasPlace ? this.#suggestion : "";
  }

  /** A name that no place has yet. */
  get #suggestion(): string {
    const taken = new Set(this.#checkpoints.map(({ name }) => name));
    for (let i = 1;; i++) {
      if (!taken.has(`Place ${i}`)) return `Place ${i}`;
    }
  }

  #item(checkpoint: CheckpointRecord): HTMLElement {
    const { name, transitionIndex: index } = checkpoint;
    return element(
      "li",
      { class: "saved-item" },
      element("img", { src: this.#frames.get(checkpoint.checkpointId), alt: "" }),
      element(
        "div",
        {},
        element("strong", {}, name),
        element("span", { class: "hint" }, index === 0 ? "Start" : `State ${index}`),
      ),
      button("Return", () => void this.restore(checkpoint), { "aria-label": `Return to ${name}` }),
      button("×", () => void this.#messages.attempt(() => this.#delete(checkpoint)), {
        class: "quiet",
        "aria-label": `Delete ${name}`,
      }),
    );
  }

  async #loadFrame({ checkpointId: id, frameMediaPath: path }: CheckpointRecord): Promise<void> {
    if (this.#frames.has(id)) return;
    const bytes = await this.#client.media(path);
    this.#frames.set(id, URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "image/png" })));
  }
}
