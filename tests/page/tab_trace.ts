/**
 * Where the time of a move in a tab goes: scripts that are put before those of the site note when what begins and ends,
 * in the page and in both workers, on one clock.
 *
 * @module
 */
import type { Page } from "playwright-core";

/** Something that has happened, and when, in milliseconds since 1970. */
export interface Mark {
  readonly what: "key" | "asked" | "pass" | "decode" | "frames" | "arrived" | "sent" | "append" | "appended" | "drawn";
  readonly at: number;
  /** When it began, where it lasts. */
  readonly from?: number;
}

const SHARED = `
  const now = () => performance.timeOrigin + performance.now();
  const marks = new BroadcastChannel("marks");
  const mark = (what, from) => marks.postMessage({ what, at: now(), from });
  const isChunk = ({ kind, event }) => kind === "event" && event.kind === "piece" && event.bytes.length < 1e5 &&
    new TextDecoder().decode(event.bytes).includes("event: chunk");
  const isFrames = ({ kind, event, answer }) => kind === "event" ? event.kind === "frames" : !!answer?.count;
  /** Reports messages that come from workers. */
  const watchWorkers = (hear) => self.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => hear(data));
    }
  };
  /** Reports messages that a worker sends. */
  const watchSent = (hear) => {
    const send = self.postMessage;
    self.postMessage = (message, transfer) => (hear(message), send.call(self, message, transfer));
  };`;

const MODEL = `
  self.addEventListener("message", ({ data }) => data.method === "generate" && mark("asked"));
  watchSent((message) => isFrames(message) && mark("frames"));
  import("./ort/ort.wasm.min.mjs").then(({ InferenceSession }) => {
    const create = InferenceSession.create;
    InferenceSession.create = async (...given) => {
      const session = await create.apply(InferenceSession, given);
      const { outputNames } = session;
      const what = outputNames.includes("out:frames") ? "decode" : outputNames.includes("out:own.k.0") ? "pass" : "";
      if (what === "") return session;
      const run = session.run.bind(session);
      session.run = async (...feeds) => {
        const from = now();
        const results = await run(...feeds);
        mark(what, from);
        return results;
      };
      return session;
    };
  });`;

const WORLD = `
  watchWorkers((message) => isFrames(message) && mark("arrived"));
  watchSent((message) => isChunk(message) && mark("sent"));`;

const PAGE = `
  addEventListener("keydown", () => mark("key"), { capture: true });
  const append = SourceBuffer.prototype.appendBuffer;
  SourceBuffer.prototype.appendBuffer = function (bytes) {
    mark("append");
    this.addEventListener("updateend", () => {
      mark("appended");
      document.querySelector("#video").requestVideoFrameCallback(() => mark("drawn"));
    }, { once: true });
    return append.call(this, bytes);
  };`;

const script = (own: string): string => `{${SHARED}${own}}\n`;

/** Text to put before the scripts of the site, by their paths. */
export const TRACES: Readonly<Record<string, string>> = {
  "walk/page.js": script(PAGE),
  "walk/world_worker.js": script(WORLD),
  "walk/model_worker.js": script(MODEL),
};

/** Listens for marks; gives those since the last key, once all of its chunks are in the video. */
export async function collectMarks(page: Page): Promise<() => Promise<Mark[]>> {
  const marks: Mark[] = [];
  await page.exposeFunction("__mark", (one: Mark) => void marks.push(one));
  await page.addInitScript(() => {
    new BroadcastChannel("marks").onmessage = ({ data }) =>
      (self as unknown as { __mark(one: unknown): void }).__mark(data);
  });
  return async () => {
    while (true) {
      const own = marks.slice(marks.findLastIndex(({ what }) => what === "key"));
      const count = (kind: Mark["what"]): number => own.filter(({ what }) => what === kind).length;
      if (count("drawn") > 0 && count("appended") === count("sent")) return own;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
}

/** What a move does until its first frames are shown, in order: names and milliseconds. */
export function partsOf(marks: readonly Mark[]): ReadonlyMap<string, number> {
  const first = (what: Mark["what"]): number => marks.find((mark) => mark.what === what)!.at;
  const frames = first("frames");
  const runs = (what: Mark["what"]): { readonly count: number; readonly sum: number; readonly end: number } => {
    const own = marks.filter((mark) => mark.what === what && mark.at < frames);
    return { count: own.length, sum: own.reduce((sum, { at, from }) => sum + at - from!, 0), end: own.at(-1)!.at };
  };
  const [passes, decoding] = [runs("pass"), runs("decode")];
  const rest = marks.findLast(({ what }) => what === "appended")!;
  return new Map([
    ["from the key to the model", first("asked") - first("key")],
    [`transformer passes (${passes.count})`, passes.sum],
    ["before, between and after them", passes.end - first("asked") - passes.sum],
    ["decode what is shown first", decoding.sum],
    ["its conversion to bytes", frames - passes.end - decoding.sum],
    ["message with them", first("arrived") - frames],
    ["H.264 and MP4", first("sent") - first("arrived")],
    ["messages with the chunk", first("append") - first("sent")],
    ["into the video", first("appended") - first("append")],
    ["beyond the sum: until it is drawn", first("drawn") - first("appended")],
    ["beyond the sum: until the rest is in the video", rest.at - first("appended")],
  ]);
}
