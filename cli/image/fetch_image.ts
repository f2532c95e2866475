/**
 * Images from a model API server.
 *
 * @module
 */
import { readServerSentEvents } from "../../lib/world/client/read_stream.ts";
import { type ApiClient, ApiError } from "../model_api/api_client.ts";

/** An image that has arrived. */
export interface FetchedImage {
  readonly png: Uint8Array<ArrayBuffer>;
  /** What makes it again. */
  readonly seed: string | undefined;
  /** What the server says about the request. */
  readonly warnings: string | undefined;
}

/** The data of an event. */
interface ImageData {
  readonly type?: string;
  readonly b64_json?: string;
  readonly seed?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
}

/** What to ask for. */
export interface ImageQuestion {
  readonly fields: Readonly<Record<string, string | number>>;
  readonly model: string | undefined;
  /** The picture to edit. */
  readonly edit: Uint8Array<ArrayBuffer> | undefined;
  /** Previews; 0 for none. */
  readonly previews: number;
  readonly onPreview: (png: Uint8Array<ArrayBuffer>) => Promise<void>;
}

/**
 * Fetches an image with its previews.
 *
 * @throws {ApiError} also for an error after the first preview, and for an interrupted answer.
 */
export async function fetchImage(
  client: ApiClient,
  { fields, model, edit, previews, onPreview }: ImageQuestion,
  signal: AbortSignal,
): Promise<FetchedImage> {
  const all = { ...fields, ...model !== undefined && { model }, stream: true, partial_images: previews };
  const response = edit === undefined
    ? await client.post("/v1/images/generations", all, signal)
    : await client.postForm("/v1/images/edits", formOf(all, edit), signal);
  const cut = new ApiError(0, "unreachable", `Cannot read the image of ${client.url}: the answer ended before it came`);
  if (!response.body) throw cut;
  for await (const { data } of readServerSentEvents(response.body, signal)) {
    const { type = "", b64_json, seed, error } = JSON.parse(data) as ImageData;
    if (error) throw new ApiError(response.status, error.code ?? "", error.message ?? "");
    if (b64_json === undefined) continue;
    const png = Uint8Array.from(atob(b64_json), (unit) => unit.charCodeAt(0));
    if (type.endsWith(".completed")) {
      return { png, seed, warnings: response.headers.get("x-svc-warning") ?? undefined };
    }
    await onPreview(png);
  }
  signal.throwIfAborted();
  throw cut;
}

function formOf(fields: Readonly<Record<string, unknown>>, picture: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append("image", new Blob([picture]), "picture");
  return form;
}
