/**
 * Routes that take a form with files.
 *
 * @module
 */
import { isLoopback } from "../../http/access_policy.ts";
import type { FormRules } from "../../http/multipart/form_rules.ts";
import { multipartBoundary } from "../../http/multipart/multipart_parser.ts";
import { readForm, type UploadFolder, type UploadForm } from "../../http/multipart/read_form.ts";
import { UploadSlots } from "../../http/multipart/upload_slots.ts";
import { type RateLimit, takeRate } from "../../http/rate_limit.ts";
import { tooLarge } from "../../http/request_body.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { SvcError } from "../../errors/svc_error.ts";

/** Uploads of a server that may be under way or in use at a time: most are slow clients, which cost little. */
const MAX_UPLOADS = 128;

/** Bytes of all of them: four of the largest that any route takes. */
const MAX_UPLOAD_BYTES = 2 * 2 ** 30;

/** What routes with uploads share. */
export interface UploadOptions {
  readonly limit: RateLimit | undefined;
  /** Shared by all routes of a server. */
  readonly slots: UploadSlots;
  /** Makes a private folder for one request. */
  readonly makeFolder: () => Promise<UploadFolder>;
}

/** What all routes of one server share. */
export function uploadOptions(
  limit: RateLimit | undefined,
  makeFolder: UploadOptions["makeFolder"],
): UploadOptions {
  return { limit, slots: new UploadSlots(MAX_UPLOADS, MAX_UPLOAD_BYTES), makeFolder };
}

/** A call of a route with uploads. */
export interface UploadCall extends RouteCall {
  readonly form: UploadForm;
  /** The request's private folder, which holds its files and may take more; it goes when the request ends. */
  readonly folder: string;
  /** Keeps the folder until `work` ends, for an answer that is still being sent when the handler returns. */
  readonly keepUntil: (work: Promise<unknown>) => void;
}

/**
 * A POST of a form, checked in this order: the client's address where the route is for this machine only, content type,
 * rate limit, size, form. The files are gone when the request ends, however it ends.
 */
export function uploadRoute(
  path: string,
  rules: FormRules & { readonly localOnly?: boolean },
  { limit, slots, makeFolder }: UploadOptions,
  handle: (call: UploadCall) => Promise<Response>,
): Route {
  const answer = async (call: RouteCall, boundary: string): Promise<Response> => {
    const slot = slots.open();
    let folder: UploadFolder | undefined;
    const kept: Promise<unknown>[] = [];
    const end = async (): Promise<void> => {
      await Promise.allSettled(kept);
      await folder?.remove();
      slot.release();
    };
    try {
      folder = await makeFolder();
      const form = await readForm(call.request, { boundary, rules, folder, slot });
      const keepUntil = (work: Promise<unknown>): void => void kept.push(work);
      return await handle({ ...call, form, folder: folder.path, keepUntil }).catch((error) => {
        throw asSent(error, form);
      });
    } finally {
      if (kept.length === 0) await end();
      else void end().catch(() => {}); // what is left is removed when a server starts
    }
  };
  return {
    method: "POST",
    path,
    handle: async (call) => {
      if (rules.localOnly && !isLoopback(call.peer)) {
        const message =
          "Cannot accept the request: this route answers with files of the server's machine, ask from there";
        throw new SvcError("peer_not_allowed", message);
      }
      const boundary = multipartBoundary(call.request.headers.get("content-type"));
      takeRate(limit, call.peer, call.headers);
      if (Number(call.request.headers.get("content-length") ?? 0) > rules.maxBytes) throw tooLarge(rules.maxBytes);
      return await answer(call, boundary);
    },
  };
}

/**
 * An error about a field as the client has sent it: some fields have two names, with brackets and without them, and of
 * one that comes several times all parts have the same name.
 */
function asSent(error: unknown, { texts, files }: UploadForm): unknown {
  if (!(error instanceof SvcError) || error.param === undefined) return error;
  const { code, message, type, cause, headers, problems } = error;
  const field = error.param.replace(/\[\d+\]$/, "");
  const sent = new Set([...texts.keys(), ...files.map((file) => file.field)]);
  const name = field.replace(/\[\]$/, "");
  const param = [field, name, `${name}[]`].find((one) => sent.has(one));
  if (param === undefined || param === error.param) return error;
  return new SvcError(code, message, { param, type, cause, headers, problems });
}

/** What is written can be read at any pace, without keeping it in memory. */
export interface Spool {
  /** What was written, as it comes; read once. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** @throws {SvcError} `disk_full`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing follows. */
  end(): void;
  /** The reader gets this error after what was written. */
  fail(error: unknown): void;
}

/** Opens a spool; `onLeave` is called when its reader stops reading. */
export type OpenSpool = (onLeave: () => void) => Promise<Spool>;
