import assert from "node:assert/strict";
import { test } from "node:test";
import { type ImageHost, runImageCommand } from "../../cli/image/image.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";

/** A machine with one server, which streams a preview and an image. */
function machine(answer?: Response) {
  const files = new Map<string, Uint8Array>([["there.png", Uint8Array.of(9)]]);
  const writes: string[] = [];
  const [out, err]: [string[], string[]] = [[], []];
  const requests: { path: string; body: unknown }[] = [];
  const event = (type: string, bytes: number[], more = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: btoa(String.fromCharCode(...bytes)), ...more })}\n\n`;
  const host: ImageHost = {
    terminal: {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      interactive: false,
      environment: () => undefined,
    },
    installed: () => Promise.resolve([]),
    read: (path) => Promise.resolve(files.get(path)),
    obstacle: (path) => Promise.resolve(files.has(path) ? "exists" : undefined),
    write: (path, bytes) => {
      writes.push(`${path} ${bytes.join()}`);
      return Promise.resolve(void files.set(path, bytes));
    },
    signal: new AbortController().signal,
    start: () => Promise.reject(new Error("nothing is started")),
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const type = request.headers.get("content-type") ?? "";
      const form = type.startsWith("multipart/") ? [...(await request.formData()).keys()] : undefined;
      requests.push({ path: pathname, body: form ?? await request.json() });
      if (answer) return answer;
      const route = form ? "image_edit" : "image_generation";
      const body = event(`${route}.partial_image`, [1]) + event(`${route}.completed`, [2, 3], { seed: "7" });
      return new Response(body, { headers: { "content-type": "text/event-stream", "x-svc-warning": "stretched" } });
    },
  };
  return { files, writes, out, err, requests, run: (...args: string[]) => runImageCommand(args, host) };
}

const URL_FLAG = "--url=http://127.0.0.1:9";

test("svc image writes the image and says which seed makes it again", async () => {
  const { run, writes, err, requests } = machine();
  assert.equal(await run("a", "red", "hall", URL_FLAG, "-o", "new.png", "--size", "64x32", "--steps", "4"), 0);
  assert.deepEqual(writes, ["new.png 2,3"]);
  assert.deepEqual(err, ["svc: stretched", "Wrote new.png (1 KiB); --seed 7 makes it again"]);
  assert.deepEqual(requests, [{
    path: "/v1/images/generations",
    body: { prompt: "a red hall", size: "64x32", steps: 4, stream: true, partial_images: 0 },
  }]);
});

test("svc image writes previews where they are asked for, and JSON", async () => {
  const { run, writes, out, requests } = machine();
  assert.equal(await run("x", URL_FLAG, "-o", "new.png", "--preview", "--json", "--seed", "7"), 0);
  assert.deepEqual(writes, ["new.png 1", "new.png 2,3"]);
  assert.deepEqual(JSON.parse(out[0]), { output: "new.png", seed: "7", bytes: 2 });
  assert.equal((requests[0].body as { partial_images: number }).partial_images, 100);
});

test("svc image edits a picture", async () => {
  const { run, requests } = machine();
  assert.equal(await run("x", URL_FLAG, "-o", "new.png", "--edit", "there.png", "--strength", "0.5"), 0);
  assert.deepEqual(requests, [{
    path: "/v1/images/edits",
    body: ["prompt", "strength", "stream", "partial_images", "image"],
  }]);
});

test("svc image refuses wrong usage before it asks a server", async () => {
  const wrong = [
    [],
    ["x", "-o", "image.jpg"],
    ["x", "--seed", "-1"],
    ["x", "--strength", "0.5"],
    ["x", "--edit", "missing.png"],
    ["x", "-o", "there.png"],
    ["x", "--url", "here"],
  ];
  for (const args of wrong) {
    const { run, requests } = machine();
    await assert.rejects(run(...args), UsageError, args.join(" "));
    assert.deepEqual(requests, []);
  }
});

test("svc image fails with the server's sentence, and for an answer that is cut", async () => {
  const error = { message: "Cannot make an image: no", code: "memory_pressure" };
  await assert.rejects(
    machine(Response.json({ error }, { status: 503 })).run("x", URL_FLAG, "-o", "new.png"),
    /Cannot make an image: no/,
  );
  const late = new Response(`data: ${JSON.stringify({ error })}\n\n`);
  await assert.rejects(machine(late).run("x", URL_FLAG, "-o", "new.png"), /Cannot make an image: no/);
  await assert.rejects(machine(new Response("")).run("x", URL_FLAG, "-o", "new.png"), /ended before it came/);
});
