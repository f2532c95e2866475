import { jsonBody, WorldTransport } from "../../lib/world/client/world_transport.ts";
import type { WorldRecord } from "../../lib/world/protocol/world_record.ts";
import { baseOf } from "./page_base.ts";

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
    return world.default && id === "default" || world.world_id === id.toLowerCase();
  }
}
