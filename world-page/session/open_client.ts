import { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { byId } from "../ui/dom.ts";
import { baseOf } from "./page_base.ts";
import { WorldList } from "./world_list.ts";

const STORED = "svc.key";

/** A connected client, and the first snapshot. */
export interface OpenedClient {
  readonly client: WorldClient;
  readonly snapshot: WorldSnapshot;
  /** The worlds of its server; absent where there is none. */
  readonly worlds?: WorldList;
}

/** Connects to the server of this page; asks for the API key if the server requires one, and stores it for the tab. */
export async function openClient(onUnreachable: (error: unknown) => void): Promise<OpenedClient> {
  while (true) {
    const apiKey = sessionStorage.getItem(STORED) ?? undefined;
    const options = apiKey === undefined ? {} : { apiKey };
    const client = new WorldClient(baseOf(location.href), options);
    try {
      return { client, snapshot: await client.session(), worlds: new WorldList(location.href, options) };
    } catch (error) {
      if (error instanceof WorldApiError && error.status === 401) {
        await askForKey(apiKey === undefined ? "" : `${error.message}.`);
      } else {
        onUnreachable(error);
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
  }
}

/** Forgets a rejected key. */
export function forgetKey(): void {
  sessionStorage.removeItem(STORED);
}

function askForKey(complaint: string): Promise<void> {
  const dialog = byId("key-dialog", HTMLDialogElement);
  const field = byId("key", HTMLInputElement);
  byId("key-error", HTMLElement).textContent = complaint;
  field.value = "";
  // There is nothing behind the dialog without the key.
  dialog.oncancel = (event) => event.preventDefault();
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(STORED, field.value.trim());
      field.value = "";
      resolve();
    }, { once: true });
  });
}
