/**
 * Requests to the server of the page, with the key where it requires one.
 *
 * @module
 */
import { readServerSentEvents } from "../lib/world/client/read_stream.ts";
import { baseOf } from "../world-page/session/page_base.ts";
import { element } from "../world-page/ui/dom.ts";

/** Where the page of the worlds keeps the key too: until the tab is closed. */
const STORED = "svc.key";

/** Address of the server without a slash at its end. */
export const BASE: string = baseOf(location.href);

/** A request that failed, in the words of the server. */
export class ApiError extends Error {
  override readonly name = "ApiError";
}

/** Whether requests carry a key. */
export function hasKey(): boolean {
  return sessionStorage.getItem(STORED) !== null;
}

/**
 * Sends a request; asks for the key as often as the server refuses the one it got.
 *
 * @throws {ApiError} on any status that is not success, and where the server cannot be reached.
 */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  while (true) {
    const key = sessionStorage.getItem(STORED);
    const headers = new Headers(init.headers);
    if (key !== null) headers.set("authorization", `Bearer ${key}`);
    const response = await fetch(BASE + path, { ...init, headers }).catch((error) => {
      if (init.signal?.aborted) throw error;
      throw new ApiError("Cannot reach the server: it has ended or the connection is lost, start it again");
    });
    if (response.ok) return response;
    const message = await messageOf(response);
    if (response.status !== 401) throw new ApiError(message);
    // Another request may have got a key since.
    if (sessionStorage.getItem(STORED) === key) await askForKey(key === null ? "" : `${message}.`);
  }
}

/** The JSON of an answer, trusted to be what the API description says. */
export async function getJson<T>(path: string): Promise<T> {
  return await (await send(path)).json();
}

/** Posts JSON. */
export function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return send(path, { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

/**
 * The JSON of each event of a stream.
 *
 * @throws {ApiError} when the stream ends with an error.
 */
export async function* eventsOf<T>(response: Response, signal: AbortSignal): AsyncGenerator<T, void, void> {
  for await (const { data } of readServerSentEvents(response.body!, signal)) {
    if (data === "[DONE]") return;
    const event = JSON.parse(data);
    if (event.error) throw new ApiError(event.error.message);
    yield event;
  }
  signal.throwIfAborted();
}

/** What the server said beside its answer, such as a field that it ignored. */
export function warningsOf(response: Response): string {
  return response.headers.get("x-svc-warning") ?? "";
}

async function messageOf(response: Response): Promise<string> {
  const body = await response.json().catch(() => undefined);
  return body?.error?.message ?? `Cannot use the answer: its status is ${response.status}`;
}

let asked: Promise<void> | undefined;

/** Shows one dialog, however many requests wait for it. */
function askForKey(complaint: string): Promise<void> {
  asked ??= new Promise<void>((resolve) => {
    const field = element("input", { id: "key", type: "password", autocomplete: "current-password", required: "" });
    const dialog = element(
      "dialog",
      { id: "key-dialog", "aria-labelledby": "key-title" },
      element(
        "form",
        { method: "dialog" },
        element("h2", { id: "key-title" }, "This server requires a key"),
        element("p", { id: "key-error", role: "alert" }, complaint),
        element("label", { for: "key" }, "Key"),
        field,
        element("p", { class: "hint" }, "Kept until you close this tab."),
        element("div", { class: "choices" }, element("button", { class: "primary" }, "Continue")),
      ),
    );
    // There is nothing behind the dialog without the key.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("close", () => {
      sessionStorage.setItem(STORED, field.value.trim());
      dialog.remove();
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
  }).finally(() => asked = undefined);
  return asked;
}
