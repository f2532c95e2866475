/**
 * What replaces the world of the session: pictures, descriptions, and the buttons that load, reset and unload it.
 *
 * @module
 */
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { byId, confirmLoss } from "../ui/dom.ts";
import type { Messages } from "../ui/messages.ts";
import type { Turns } from "./session_feed.ts";

/** Dependencies of an upload. */
interface UploadParts {
  readonly client: WorldClient;
  readonly turns: Turns;
  readonly messages: Messages;
  readonly snapshot: () => WorldSnapshot;
}

/** Starts a new world from each picture that is dropped, pasted or chosen. */
export function takePictures(parts: UploadParts): void {
  const { messages } = parts;
  const file = byId("file", HTMLInputElement);
  const take = (files: FileList | null | undefined): void => {
    const picture = files?.[0];
    if (picture) void messages.attempt(async () => void await startFrom(parts, picture));
  };
  for (const id of ["choose", "welcome-choose"]) byId(id, HTMLElement).addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    take(file.files);
    file.value = "";
  });
  addEventListener("paste", ({ clipboardData }) => take(clipboardData?.files));
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    take(event.dataTransfer?.files);
  });
}

/** What leaving the world would lose, as text; undefined when there is nothing to lose. */
export function lossOf({ stateIds, checkpointCount: checkpoints = 0 }: WorldSnapshot): string | undefined {
  const moves = Math.max(0, stateIds.length - 1);
  const lost = [
    ...(moves > 0 ? [`the walk of ${moves} ${moves === 1 ? "move" : "moves"}`] : []),
    ...(checkpoints > 0 ? [`${checkpoints} saved ${checkpoints === 1 ? "place" : "places"}`] : []),
  ];
  return lost.length === 0 ? undefined : lost.join(" and ");
}

/** Starts a new world from a picture that the server makes of a described place. */
export function takeDescriptions(parts: UploadParts): void {
  const form = byId("describe", HTMLFormElement);
  const [place, button] = [byId("place", HTMLInputElement), byId("describe-go", HTMLButtonElement)];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const prompt = place.value.trim();
    if (prompt === "" || button.disabled) return;
    button.disabled = true;
    parts.messages.say("Making a picture of the place.");
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    void parts.messages.attempt(async () => {
      const png = await parts.client.startPicture({ prompt, seed }) as Uint8Array<ArrayBuffer>;
      const started = await startFrom(parts, new File([png], prompt, { type: "image/png" }));
      if (started) byId("prompt", HTMLTextAreaElement).value = prompt;
    }).finally(() => button.disabled = false);
  });
}

async function startFrom({ client, turns, messages, snapshot }: UploadParts, picture: File): Promise<boolean> {
  const loss = lossOf(snapshot());
  if (loss && !await confirmLoss(`Start a new world from ${picture.name}? This discards ${loss}.`, "Start")) {
    return false;
  }
  await turns.take(() => client.uploadSource(picture));
  messages.say(`Started a new world from ${picture.name}.`);
  return true;
}

/** The buttons that load, reset and unload the session. */
export function sessionButtons({ client, turns, messages, snapshot }: UploadParts): void {
  const on = (id: string, action: () => Promise<void>): void =>
    byId(id, HTMLButtonElement).addEventListener("click", () => void messages.attempt(action));
  on("prepare", async () => {
    messages.say("Loading the model.");
    await turns.take(() => client.prepare());
    messages.say("The model is loaded.");
  });
  on("reset", async () => {
    const loss = lossOf(snapshot());
    if (loss && !await confirmLoss(`Start over without a picture? This discards ${loss}.`, "Start over")) return;
    await turns.take(() => client.reset());
    messages.say("The world is empty again.");
  });
  on("unload", async () => {
    const loss = lossOf(snapshot());
    if (loss && !await confirmLoss(`Unload the model? The picture stays, but this discards ${loss}.`, "Unload")) return;
    await turns.take(() => client.unload());
    messages.say("The model is unloaded; the next move loads it again.");
  });
}
