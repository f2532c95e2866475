import { end, type Running } from "../../support/server_process.ts";

/** Where a world is, and who asks. */
export interface MovedWorld {
  /** Of the server, with the path of the world where it is not the default one. */
  readonly url: string;
  readonly key?: string;
}

const camera = { motion: "forward", translation_meters: [0, 0, 1], rotation_degrees: [0, 0, 0] };

/** A picture of the model's own, as the origin of a world. */
export async function beginWorld({ url, key }: MovedWorld): Promise<void> {
  const headers = authorized(key);
  const image = await (await fetch(`${url}/v1/world/start/image`, { headers })).arrayBuffer();
  const source = await fetch(`${url}/v1/world/session/source`, {
    method: "POST",
    headers: { ...headers, "content-type": "image/png" },
    body: image,
  });
  if (source.status !== 200) throw new Error(`a picture was answered ${source.status} ${await source.text()}`);
}

/**
 * The shortest move of a world.
 *
 * @returns the milliseconds until its model has begun it; it has ended by then.
 */
export async function shortMove({ url, key }: MovedWorld): Promise<number> {
  const headers = { ...authorized(key), "content-type": "application/json" };
  const begin = performance.now();
  const body = JSON.stringify({ prompt: "a hall", camera, num_frames: 5, steps: 2 });
  const accepted = await fetch(`${url}/v1/world/session/transitions`, { method: "POST", headers, body });
  const text = await accepted.text();
  if (accepted.status !== 202) throw new Error(`a move was answered ${accepted.status} ${text}`);
  const job = `${url}/v1/world/jobs/${JSON.parse(text).job_id}`;
  for (let begun: number | undefined;;) {
    const { status, progress, error } = await (await fetch(job, { headers })).json();
    const isBegun = progress !== undefined && progress.stage !== "preparing";
    if (isBegun || status === "completed") begun ??= performance.now() - begin;
    if (status === "completed") return begun!;
    if (["failed", "cancelled"].includes(status)) throw new Error(`a move is ${status}: ${JSON.stringify(error)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function authorized(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** Ends a server as an operator does; throws when it does not end well, or has written what a terminal acts on. */
export async function endWell(server: Running): Promise<void> {
  if (server.child.exitCode === null) end(server, "SIGTERM");
  const status = await server.exit;
  const said = server.stderr();
  if (status !== 0 || said.includes("terminate called")) throw new Error(`a server has ended with ${status}: ${said}`);
  checkLog(said);
}

/** Throws when a log has what a terminal acts on. */
export function checkLog(log: string): void {
  const control = /[^\P{Cc}\n\t]|[\p{Bidi_Control}]/u.exec(log);
  if (control) throw new Error(`a log has ${JSON.stringify(log.slice(control.index - 40, control.index + 40))}`);
}
