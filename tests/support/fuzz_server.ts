import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { BackendName } from "../../lib/world/protocol/wire.ts";
import type { Wire } from "../../lib/json/wire_form.ts";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";
import { matchesComponent } from "./api_description.ts";
import { text } from "./fake_media.ts";
import { type FuzzedRequest, fuzzedRequest } from "./fuzz_requests.ts";
import { type WorldHarness, worldHarness } from "./world_harness.ts";

/** How often each status was answered. */
export type StatusCounts = Readonly<Record<number, number>>;

/**
 * Sends random requests, one after another, to a handler with a fake model. Fails when one is answered with 500, or
 * with what the API description does not have, or when a body is accepted that it does not allow.
 */
export async function fuzzServer(
  count: number,
  seed: number,
  backend: BackendName = "arworld",
): Promise<StatusCounts> {
  const write = (path: string, bytes: Uint8Array): Promise<void> => writeFile(path, bytes, { flag: "wx" });
  const h = await worldHarness({ page: { html: "h", script: "s", style: "c", icon: "i" }, write, backend });
  writeFileSync(join(h.folder, "a.png"), text("image 64 32 7"));
  const counts: Record<number, number> = {};
  const known = { job: "x", lock: "x" };
  try {
    await h.session.setSource(text("image 64 32 7"));
    for (const request of fc.sample(fuzzedRequest, { numRuns: count, seed })) {
      const status = await send(h, request, known);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    assert.deepEqual(h.errors, []);
    assert.deepEqual(h.events.filter(({ level }) => level === "error"), []);
  } finally {
    h.stop();
    await h.close();
  }
  return counts;
}

async function send(h: WorldHarness, fuzzed: FuzzedRequest, known: { job: string; lock: string }): Promise<number> {
  const { method, body, headers, peer } = fuzzed;
  const path = fuzzed.path.replace(/\{(job|lock)\}/, (_, name: "job" | "lock") => known[name]);
  const { pathname, search } = new URL(`http://localhost${path}`);
  const bodied = !["GET", "HEAD", "get"].includes(method) && body !== undefined;
  const what = `${method} ${pathname}${search} ${JSON.stringify(headers)} ${
    bodied ? new TextDecoder().decode(body) : ""
  }`;
  try {
    const response = await h.call(method, pathname + search, { headers, peer, ...(bodied && { body }) });
    const { status } = response;
    assert.notEqual(status, 500);
    if (headers["content-type"] === "application/json" && status === 202 && method === "POST") {
      const component = pathname.endsWith("/rollouts") ? "RolloutRequest" : "TransitionRequest";
      assert.ok(matchesComponent(component, JSON.parse(new TextDecoder().decode(body))), `not a ${component}`);
    }
    if (status === 202) known.job = await ended(h, await response.json());
    else if (status === 201) known.lock = (await response.json()).checkpoint_id;
    else await response.body?.cancel();
    return status;
  } catch (error) {
    throw new Error(what.slice(0, 2000), { cause: error });
  }
}

async function ended(h: WorldHarness, job: Wire<JobRecord>): Promise<string> {
  await h.ended(job);
  return job.job_id;
}
