import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";
import { text } from "./fake_media.ts";
import { type CallInit, errorOf, type HarnessOptions, type WorldHarness, worldHarness } from "./world_harness.ts";
import type { Wire } from "../../lib/json/wire_form.ts";

/** Where the session is. */
export const SESSION = "/v1/world/session";

/** The picture that {@link withWorld} starts from, as a file of the fake media. */
export const PICTURE: Uint8Array<ArrayBuffer> = text("image 64 32 7");

/** An upload of {@link PICTURE}. */
export const UPLOAD: CallInit = { headers: { "content-type": "image/png" }, body: PICTURE };

/** A fresh session, closed at the end. Files are written without waiting for the disk. */
export async function withSession(
  work: (h: WorldHarness) => Promise<void>,
  options: HarnessOptions = {},
): Promise<void> {
  const write = (path: string, bytes: Uint8Array) => writeFile(path, bytes, { flag: "wx" });
  const harness = await worldHarness({ write, ...options });
  try {
    await work(harness);
  } finally {
    harness.stop();
    await harness.close();
  }
}

/** A session that is loaded and shows {@link PICTURE}. */
export function withWorld(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  return withSession(async (h) => {
    await ok(h.call("POST", `${SESSION}/prepare`));
    await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
    await work(h);
  }, options);
}

/** The JSON of an answer that must have this status. */
// deno-lint-ignore no-explicit-any -- a test reads what it expects, and fails when it is not there
export async function ok(response: Response | Promise<Response>, status = 200): Promise<any> {
  const answer = await response;
  const body = await answer.json();
  assert.equal(answer.status, status, JSON.stringify(body));
  return body;
}

/** Fails unless an answer is this error, in the words of the house. Gives the sentence. */
export async function refused(
  response: Response | Promise<Response>,
  status: number,
  code: string,
  param?: string,
): Promise<string> {
  const answer = await response;
  const { message, type, ...error } = await errorOf(answer);
  assert.deepEqual(
    { status: answer.status, ...error },
    { status, code, ...(param !== undefined && { param }) },
    message,
  );
  assert.equal(type, TYPES[status], message);
  assert.match(message, /^Cannot .*[^.]$/s);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  return message;
}

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  405: "invalid_request_error",
  409: "conflict_error",
  413: "invalid_request_error",
  415: "invalid_request_error",
  416: "invalid_request_error",
  429: "rate_limit_error",
  500: "server_error",
  503: "model_unavailable_error",
};

/** Starts a move over HTTP and gives the record after its end. */
export async function moveTo(
  h: WorldHarness,
  kind: "transitions" | "rollouts",
  body: unknown,
): Promise<Wire<JobRecord>> {
  const job = await ok(h.call("POST", `${SESSION}/${kind}`, { json: body }), 202);
  await h.ended(job);
  return await ok(h.call("GET", `/v1/world/jobs/${job.job_id}`));
}
