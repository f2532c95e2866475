import { baseOf } from "../session/page_base.ts";
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import type { WalkFeed } from "../session/walk_feed.ts";
import { SVC, walkScript } from "../session/walk_script.ts";
import { byId, element } from "../ui/dom.ts";
import type { Messages } from "../ui/messages.ts";

/** What the buttons of the walk depend on. */
export interface WalkButtonsParts {
  readonly client: WorldClient;
  readonly feed: WalkFeed;
  readonly messages: Messages;
  readonly snapshot: () => WorldSnapshot;
}

/** The buttons that save the walk as a video and say how to make it again. */
export function walkButtons({ client, feed, messages, snapshot }: WalkButtonsParts): void {
  const on = (id: string, action: () => Promise<void>): void =>
    byId(id, HTMLButtonElement).addEventListener("click", () => void messages.attempt(action));
  on("save-walk", async () => {
    const { videoMediaPath: path } = await feed.fetch();
    if (path === undefined) throw new Error("Cannot save the walk: there is no move yet, walk first");
    messages.say("Joining the video of the walk.");
    const bytes = await client.media(path);
    const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "video/mp4" }));
    element("a", { href: url, download: "walk.mp4" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it while it saves
    messages.say("Saved this walk as walk.mp4.");
  });
  on("copy-walk", async () => {
    const script = walkScript(await feed.fetch(), snapshot().stateIds, baseOf(location.href));
    if (script.program === undefined) {
      throw new Error("Cannot say how to make this walk again: a part of it is no longer known, start over and walk");
    }
    const copied = await copyText(script.command ?? script.program);
    show(script.command, script.program, copied);
    const what = script.command === undefined ? "program" : "command";
    if (copied) messages.say(`Copied the ${what} that makes this walk again.`);
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    button.addEventListener("click", () => void messages.attempt(() => copy(button)));
  }
}

/** Enables the buttons once there is a move. */
export function showWalkButtons({ stateIds: path }: WorldSnapshot): void {
  for (const id of ["save-walk", "copy-walk"]) byId(id, HTMLButtonElement).disabled = path.length < 2;
}

function show(command: string | undefined, program: string, copied: boolean): void {
  byId("repeat-line", HTMLElement).hidden = command === undefined;
  byId("repeat-note", HTMLElement).textContent = command === undefined
    ? `${copied ? "Copied: this" : "This"} walk does not fit into one command, but into this program. It starts over ` +
      "in this world, and discards the walk that is there then."
    : `${copied ? "The command is copied. It" : "The command"} runs in a clone; where svc is installed, begin it ` +
      `with svc instead of ${SVC}. Both make the same pictures again: they start over in this world, and discard the ` +
      "walk that is there then.";
  fill("repeat-command", command ?? "");
  fill("repeat-code", program);
  const first = command === undefined ? "repeat-code" : "repeat-command";
  for (const button of document.querySelectorAll<HTMLButtonElement>("#repeat [data-copy]")) {
    button.textContent = copied && button.dataset["copy"] === first ? "Copied" : "Copy";
  }
  byId("repeat", HTMLDialogElement).showModal();
}

/** Fills a field, which then shows its beginning. */
function fill(id: string, text: string): void {
  const field = byId(id, HTMLTextAreaElement);
  field.value = text;
  field.setSelectionRange(0, 0);
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const field = byId(button.dataset["copy"] ?? "", HTMLTextAreaElement);
  field.select();
  // Pages of other machines that are not served over TLS have no clipboard; the text is selected for the user's own keys.
  if (!await copyText(field.value)) throw new Error("Cannot reach the clipboard: copy the selected text yourself");
  button.textContent = "Copied";
}

/** Puts text into the clipboard; false where the browser does not give it away. */
async function copyText(text: string): Promise<boolean> {
  return await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;
}
