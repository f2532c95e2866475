/**
 * The server of a page: a client of its world, with the key where it requires one, and the worlds beside it.
 *
 * @module
 */
import { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { byId } from "../ui/dom.ts";
import { jsonBody, WorldTransport } from "../../lib/world/client/world_transport.ts";
import type { WorldRecord } from "../../lib/world/protocol/world_record.ts";
import { baseOf } from "./page_base.ts";
import type { Connection } from "./session_feed.ts";
import { Warnings } from "./warnings.ts";

const STORED = "svc.key";

/** A connected client, and the first snapshot. */
export interface OpenedClient {
  readonly client: WorldClient;
  readonly snapshot: WorldSnapshot;
  /** The worlds of its server; absent where there is none. */
  readonly worlds?: WorldList;
  /** What the server says beside its answers; absent where there is none. */
  readonly warnings?: Warnings;
}

/** Connects to the server of this page; asks for the API key if the server requires one, and stores it for the tab. */
export async function openClient(
  onUnreachable: (error: unknown, connection: Connection) => void,
): Promise<OpenedClient> {
  const warnings = new Warnings();
  while (true) {
    const apiKey = sessionStorage.getItem(STORED) ?? undefined;
    const options = apiKey === undefined ? {} : { apiKey };
    const client = new WorldClient(baseOf(location.href), { ...options, fetch: warnings.fetch });
    try {
      return { client, snapshot: await client.session(), worlds: new WorldList(location.href, options), warnings };
    } catch (error) {
      if (error instanceof WorldApiError && error.status === 401) {
        await askForKey(apiKey === undefined ? "" : `${error.message}.`);
      } else {
        onUnreachable(error, "lost");
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

/** The end of the address of a world that is not meant by the server's own address. */
const WORLD = /\/worlds\/(?:default|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The worlds of the server of a page. */
export class WorldList {
  readonly #here: string;
  readonly #server: WorldTransport;

  /**
   * @param page Address of the page.
   * @param options The key, where the server requires one.
   */
  constructor(page: string, options: { readonly apiKey?: string }) {
    this.#here = baseOf(page);
    this.#server = new WorldTransport(this.#here.replace(WORLD, ""), options);
  }

  /** All worlds, the oldest first. */
  async fetch(): Promise<readonly WorldRecord[]> {
    return (await this.#server.json<{ data: readonly WorldRecord[] }>("/v1/worlds")).data;
  }

  /** Opens another one; sent again after a lost answer, the key makes it the same one. */
  async open(name: string, key: string): Promise<WorldRecord> {
    const headers = { "idempotency-key": key };
    const body = jsonBody(name === "" ? {} : { name });
    return await this.#server.json<WorldRecord>("/v1/worlds", { method: "POST", headers, body });
  }

  /** Address of the page of a world, for everybody who reaches the server. */
  linkTo({ path }: WorldRecord): string {
    return this.#server.baseUrl + path;
  }

  /** Whether the page shows a world. */
  shows(world: WorldRecord): boolean {
    const [id = "default"] = this.#here.match(WORLD)?.[0].split("/").slice(2) ?? [];
    return world.default && id === "default" || world.worldId === id.toLowerCase();
  }
}
