/**
 * Batches of rollouts: many walks by keys, which a fleet makes.
 *
 * @module
 */
import type { RolloutBatch } from "./client_options.ts";
import { toWire } from "../../json/wire_form.ts";
import { readJsonLines } from "./read_stream.ts";
import type { WorldTransport } from "./world_transport.ts";

/** The batch with a name, on the gateway of a fleet. */
export function rolloutBatch(transport: WorldTransport, dataset: string): RolloutBatch {
  const path = `/v1/rollouts/${encodeURIComponent(dataset)}`;
  return {
    submit(specs, { pool, firstLine, ...options } = {}) {
      const query = new URLSearchParams();
      if (pool !== undefined) query.set("pool", pool);
      if (firstLine !== undefined) query.set("first_line", String(firstLine));
      const data = typeof specs === "string" ? specs : specs.map((spec) => JSON.stringify(toWire(spec))).join("\n");
      const body = { data, type: "application/x-ndjson" };
      return transport.json(`${path}?${query}`, { ...options, method: "POST", body });
    },
    addSource(image, options) {
      const body = { data: new Blob([image as Uint8Array<ArrayBuffer>]), type: "application/octet-stream" };
      return transport.json(`${path}/sources`, { ...options, method: "POST", body });
    },
    status: (options) => transport.json(path, options),
    results: (options) => readJsonLines(transport, `${path}/results`, options),
    file: (item, which, options) => transport.bytes(`${path}/items/${encodeURIComponent(item)}/${which}`, options),
    remove: (options) => transport.json(path, { ...options, method: "DELETE" }),
  };
}
