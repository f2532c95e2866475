import { confirmLoss } from "../ui/confirm.ts";
import { byId } from "../ui/dom.ts";
import { lossOf, type UploadParts } from "./upload.ts";

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
