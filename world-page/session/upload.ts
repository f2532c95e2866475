/**
 * What replaces the world of the session: pictures, and the buttons that load, reset and unload it.
 *
 * @module
 */
import type { WorldClient } from "../../lib/world/client/world_client.ts";
import { unknownPlace } from "../../lib/world/protocol/known_places.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { byId, confirmLoss } from "../ui/dom.ts";
import type { Messages } from "../ui/messages.ts";
import type { Turns } from "./session_feed.ts";

/** Dependencies of an upload. */
export interface UploadParts {
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
    if (picture) {
      void messages.attempt(async () => {
        await checkPicture(picture);
        await startFrom(parts, picture, `“${picture.name}”`, await warningOf(parts, picture));
      });
    }
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

/** How files of the formats that a server takes begin. */
const BEGINNINGS = /^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|....ftyp(?:avi[fs]|mif1)|BM|II\*\0|MM\0\*)/s;

/**
 * Looks at the file before anything is asked or sent.
 *
 * @throws {Error} when it is not a picture
 */
async function checkPicture(file: File): Promise<void> {
  const begin = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  if (BEGINNINGS.test(String.fromCharCode(...begin))) return;
  throw new Error(
    `Cannot start from “${file.name}”: it is not a picture, expected PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF`,
  );
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

/**
 * Starts a new world from a picture, once the user has agreed to lose the walk that is there; returns whether it has.
 *
 * @param name The picture as messages name it.
 */
export async function startFrom(
  { client, turns, messages, snapshot }: UploadParts,
  picture: File,
  name: string,
  warning?: string,
): Promise<boolean> {
  const loss = lossOf(snapshot());
  const question = [
    ...(warning === undefined ? [] : [`${warning}.`]),
    `Start a new world from ${name}?`,
    ...(loss === undefined ? [] : [`This discards ${loss}.`]),
  ].join(" ");
  if (warning !== undefined || loss !== undefined) {
    if (!await confirmLoss(question, warning === undefined ? "Start" : "Start anyway")) return false;
  }
  await turns.take(() => client.uploadSource(picture));
  messages.say(`Started a new world from ${name}.`);
  return true;
}

/**
 * Whether the model was made for a picture, which is measured once it is loaded.
 *
 * @throws {WorldApiError} when the server cannot decode it
 */
export async function warningOf(
  { client, turns, messages, snapshot }: UploadParts,
  picture: File,
): Promise<string | undefined> {
  const check = await client.checkSource(picture);
  const { model, phase } = snapshot();
  if (check.madeFor === undefined || check.distance !== undefined || phase !== "cold") {
    return unknownPlace(model.id, check);
  }
  messages.say("Loading the model, to see whether it was made for the like of this picture.");
  await turns.take(() => client.prepare());
  return unknownPlace(model.id, await client.checkSource(picture));
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
