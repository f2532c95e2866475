import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type UploadCall, uploadRoute } from "../../../lib/api/http/upload_route.ts";
import { apiRefusal } from "../../../lib/api/http/api_refusal.ts";
import { promptAccess } from "../../support/prompt_access.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { UploadSlots } from "../../../lib/http/multipart/upload_slots.ts";
import { RateLimit } from "../../../lib/http/rate_limit.ts";
import { createRouter } from "../../../lib/http/router.ts";
import { createUpload } from "../../../lib/platform/files/upload_folder.ts";
import { listen } from "../../../lib/platform/sockets/listen.ts";
import { concat, multipartBody, type SentPart } from "../../support/multipart_body.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { deferred } from "../../support/world_harness.ts";

const MAX_BYTES = 4 * 2 ** 20;

const rules = {
  action: "try it",
  maxBytes: MAX_BYTES,
  texts: { model: {}, "many[]": { max: 3 }, cameras: {} },
  files: { file: { types: ["audio/", "video/mp4"] }, cameras: { types: ["application/json"] } },
};

interface Setting {
  readonly handle?: (call: UploadCall) => Promise<Response>;
  readonly slots?: UploadSlots;
  readonly perMinute?: number;
  readonly apiKey?: string;
  readonly localOnly?: boolean;
}

/** A real server with one route, whose uploads are below `folder`. */
function withServer(setting: Setting, work: (it: Served) => Promise<void>): Promise<void> {
  return withFolder((folder) => serve(folder, setting, work));
}

interface Served {
  readonly url: string;
  readonly port: number;
  /** Where the uploads of all requests lie. */
  readonly folder: string;
  readonly slots: UploadSlots;
  readonly app: (request: Request, peer: string) => Promise<Response>;
}

async function serve(folder: string, setting: Setting, work: (it: Served) => Promise<void>): Promise<void> {
  const slots = setting.slots ?? new UploadSlots(8, 4 * MAX_BYTES);
  let count = 0;
  const handle = setting.handle ?? (({ form }) =>
    Promise.resolve(Response.json({
      texts: Object.fromEntries(form.texts),
      files: form.files.map(({ path, ...file }) => ({ ...file, text: readFileSync(path, "latin1").slice(0, 100) })),
    })));
  const route = uploadRoute("/upload", { ...rules, localOnly: setting.localOnly ?? false }, {
    limit: setting.perMinute === undefined ? undefined : new RateLimit(setting.perMinute, () => 0),
    slots,
    makeFolder: () => {
      const path = mkdtempSync(join(folder, "request-"));
      return Promise.resolve({
        path,
        create: (name: string) => createUpload(path, name),
        remove: () => Promise.resolve(rmSync(path, { recursive: true })),
      });
    },
  }, handle);
  const app = createRouter({
    routes: [route],
    access: promptAccess({ apiKey: setting.apiKey }),
    newId: () => String(++count),
    asSvcError: (error, request) => apiRefusal(error, request.signal.aborted).error,
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  try {
    await work({ url: `${server.url}/upload`, port: Number(new URL(server.url).port), folder, slots, app });
  } finally {
    await server.close(100);
  }
}

async function post(url: string, body: BodyInit, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: "POST", body, headers });
  return { status: response.status, headers: response.headers, answer: await response.json() };
}

const type = { "content-type": "multipart/form-data; boundary=b" };
const send = (url: string, parts: readonly SentPart[]) => post(url, multipartBody("b", parts), type);
const file: SentPart = { name: "file", content: "sound", filename: "a.wav", type: "audio/wav" };

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const begin = performance.now(); !isSo();) {
    assert.ok(performance.now() - begin < 10_000, `${what} within 10 s`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("an error names a field as the client has sent it, with brackets or without", async () => {
  const refusing = (param: string) => ({
    handle: () => Promise.reject(new SvcError("image_too_large", "Cannot try it", { param })),
  });
  const many = { name: "many[]", content: "x" };
  const asked: [param: string, parts: readonly SentPart[], told: string][] = [
    ["many", [file, many], "many[]"],
    ["many[][1]", [file, many, many], "many[]"],
    ["file", [file, many], "file"],
    ["file[]", [file], "file"],
    ["model", [file, many], "model"],
    ["cameras.cameras[0]", [file, { name: "cameras", content: "{}" }], "cameras.cameras[0]"],
  ];
  for (const [param, parts, told] of asked) {
    await withServer(refusing(param), async ({ url }) => {
      const { status, answer } = await send(url, parts);
      assert.deepEqual([status, answer.error.code, answer.error.param], [400, "image_too_large", told]);
    });
  }
});

test("texts and files arrive, and the files are private and gone after the answer", () =>
  withServer({
    handle: ({ form, folder }) => {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      for (const { path } of form.files) assert.equal(statSync(path).mode & 0o777, 0o600);
      const [{ field, bytes, sha256, type, filename }] = form.files;
      return Promise.resolve(Response.json({ texts: [...form.texts], field, bytes, sha256, type, filename }));
    },
  }, async ({ url, folder, slots }) => {
    const form = new FormData();
    form.append("model", "whisper ✓");
    form.append("many[]", "a");
    form.append("many[]", "b");
    form.append("file", new File(["x".repeat(600_000)], "../../a.wav", { type: "audio/wav" }));
    const { status, answer } = await post(url, form);
    assert.equal(status, 200);
    assert.deepEqual(answer, {
      texts: [["model", ["whisper ✓"]], ["many[]", ["a", "b"]]],
      field: "file",
      bytes: 600_000,
      sha256: createHash("sha256").update("x".repeat(600_000)).digest("hex"),
      type: "audio/wav",
      filename: "../../a.wav",
    });
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(slots.bytes, 0);
  }));

test("checks come in order: key, address, content type, rate, size, form", async () => {
  await withServer({ apiKey: "k", perMinute: 3 }, async ({ url }) => {
    const bad = "x".repeat(MAX_BYTES + 1);
    const key = { authorization: "Bearer k" };
    assert.equal((await post(url, bad)).status, 401);
    for (let i = 0; i < 5; i++) {
      assert.equal((await post(url, bad, { ...key, "content-type": "text/plain" })).status, 415);
    }
    const large = await post(url, bad, { ...key, ...type });
    assert.deepEqual([large.status, large.answer.error.code], [413, "body_too_large"]);
    assert.equal(large.headers.get("x-ratelimit-remaining-requests"), "2");
    assert.equal((await post(url, "no form", { ...key, ...type })).answer.error.code, "invalid_multipart");
    await post(url, "no form", { ...key, ...type });
    const limited = await post(url, bad, { ...key, ...type });
    assert.deepEqual([limited.status, limited.answer.error.code], [429, "rate_limit_exceeded"]);
  });
});

test("a route for this machine alone refuses others before it looks at the content type", () =>
  withServer({ apiKey: "k", localOnly: true }, async ({ app }) => {
    const ask = async (peer: string, key: string): Promise<[number, string]> => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "text/plain" };
      const request = new Request("http://localhost/upload", { method: "POST", headers, body: "x" });
      const response = await app(request, peer);
      return [response.status, (await response.json()).error.code];
    };
    assert.deepEqual(await ask("10.0.0.1", "wrong"), [401, "invalid_api_key"]);
    assert.deepEqual(await ask("10.0.0.1", "k"), [403, "peer_not_allowed"]);
    assert.deepEqual(await ask("127.0.0.1", "k"), [415, "unsupported_content_type"]);
  }));

test("a form is refused for what it has and the route does not take", () =>
  withServer({}, async ({ url, folder, slots }) => {
    const model = { name: "model", content: "m" };
    const forms: [readonly SentPart[], string, string, RegExp][] = [
      [[{ name: "modle", content: "m" }], "unknown_field", "modle", /did you mean "model"/],
      [[{ name: "", content: "m" }], "unknown_field", "", /no field ""/],
      [[{ name: "__proto__", content: "m" }], "unknown_field", "__proto__", /no field/],
      [[model, model], "duplicate_field", "model", /given twice/],
      [[file, file], "duplicate_field", "file", /given twice/],
      [Array(4).fill({ name: "many[]", content: "m" }), "duplicate_field", "many[]", /more than 3 times/],
      [
        [{ name: "cameras", content: "{}" }, { ...file, name: "cameras", type: "" }],
        "duplicate_field",
        "cameras",
        /twice/,
      ],
      [[{ ...model, filename: "m" }], "invalid_model", "model", /is a file, expected text/],
      [[{ name: "file", content: "/etc/passwd" }], "invalid_file", "file", /expected an uploaded file/],
      [[{ ...file, content: "" }], "invalid_file", "file", /is empty/],
      [[{ ...file, type: "text/html" }], "invalid_file", "file", /"text\/html", expected audio\/\*, video\/mp4/],
      [[{ ...file, type: "multipart/mixed; boundary=c" }], "invalid_file", "file", /multipart\/mixed/],
      [
        [{ ...model, type: "text/plain; charset=latin1" }],
        "invalid_model",
        "model",
        /charset "latin1", expected UTF-8/,
      ],
      [[{ ...model, content: new Uint8Array([0xff]) }], "invalid_model", "model", /not UTF-8/],
      [[{ ...model, content: "x".repeat(600_000) }], "invalid_model", "model", /more than 524288 bytes/],
    ];
    for (const [parts, code, param, message] of forms) {
      const { status, answer: { error } } = await send(url, parts);
      assert.deepEqual([status, error.code, error.param], [400, code, param], message.source);
      assert.match(error.message, message);
    }
    assert.equal((await send(url, [file, { name: "cameras", content: "{}" }])).status, 200);
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(slots.bytes, 0);
  }));

test("content types without a usable boundary are refused before the body", () =>
  withServer({}, async ({ url }) => {
    const cases: [string, number][] = [
      ["application/json", 415],
      ["multipart/mixed; boundary=b", 415],
      ["multipart/form-data", 400],
      ["multipart/form-data; boundary=", 400],
      ['multipart/form-data; boundary=""', 400],
      ["multipart/form-data; boundary=a; boundary=b", 400],
      [`multipart/form-data; boundary=${"b".repeat(71)}`, 400],
      ['multipart/form-data; boundary="b\t"', 400],
      [`multipart/form-data; boundary=${"b".repeat(70)}`, 200],
      ['Multipart/Form-Data; charset=utf-8; Boundary="b c"', 200],
    ];
    for (const [given, status] of cases) {
      const boundary = /boundary="?([^"]*)/i.exec(given)?.[1] ?? "b";
      const found = await post(url, multipartBody(boundary, [file]), { "content-type": given });
      assert.equal(found.status, status, given);
    }
  }));

/** Sends bytes on a socket of its own, as long as there is no answer, and gives that. */
async function raw(port: number, head: readonly string[], chunks: Iterable<Uint8Array>): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => answer += text).on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  socket.setNoDelay(true);
  socket.write(["POST /upload HTTP/1.1", `host: 127.0.0.1:${port}`, ...head, "", ""].join("\r\n"));
  for (const chunk of chunks) {
    if (socket.destroyed || answer !== "") break;
    await new Promise((resolve) => socket.write(chunk, resolve));
  }
  await until("the answer is there", () => socket.destroyed || answer.endsWith("}"));
  socket.destroy();
  return answer;
}

test("a body longer than it may be is refused while it streams", () =>
  withServer({}, async ({ port, folder }) => {
    const body = multipartBody("b", [{ ...file, content: new Uint8Array(3 * MAX_BYTES) }]);
    const chunks = function* () {
      for (let at = 0; at < body.length; at += 65536) {
        const part = body.subarray(at, at + 65536);
        yield concat(`${part.length.toString(16)}\r\n`, part, "\r\n");
      }
      yield concat("0\r\n\r\n");
    };
    const answer = await raw(
      port,
      ["content-type: multipart/form-data; boundary=b", "transfer-encoding: chunked"],
      chunks(),
    );
    assert.match(answer, /^HTTP\/1.1 413 /);
    await until("the folder is empty", () => readdirSync(folder).length === 0);
  }));

test("bytes that come one by one arrive", () =>
  withServer({}, async ({ port }) => {
    const body = multipartBody("b", [{ name: "model", content: "m" }, file]);
    const bytes = [...body].map((_, i) => body.subarray(i, i + 1));
    const answer = await raw(
      port,
      [`content-length: ${body.length}`, "content-type: multipart/form-data; boundary=b"],
      bytes,
    );
    assert.match(answer, /^HTTP\/1.1 200 [\s\S]*"model":\["m"\][\s\S]*"text":"sound"/);
  }));

for (const when of ["while it uploads", "while its request is worked on"]) {
  test(`the files of a client that disconnects ${when} are removed`, async () => {
    const started = deferred();
    const handle = async ({ request }: UploadCall): Promise<Response> => {
      started.resolve();
      await new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(new Error("it left"))));
      return new Response();
    };
    await withServer({ handle }, async ({ port, folder, slots }) => {
      const body = multipartBody("b", [{ ...file, content: new Uint8Array(2 ** 20) }]);
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
      const head = [
        `host: 127.0.0.1:${port}`,
        `content-length: ${body.length}`,
        `content-type: ${type["content-type"]}`,
      ];
      socket.write(`POST /upload HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
      socket.write(when === "while it uploads" ? body.subarray(0, 600_000) : body);
      if (when === "while it uploads") await until("bytes have come", () => slots.bytes > 500_000);
      else await started.promise;
      assert.equal(readdirSync(folder).length, 1);
      socket.destroy();
      await until("the folder is empty", () => readdirSync(folder).length === 0 && slots.bytes === 0);
    });
  });
}

test("files stay as long as an answer is being sent", async () => {
  const sent = deferred();
  const handle = ({ form, keepUntil }: UploadCall): Promise<Response> => {
    keepUntil(sent.promise);
    return Promise.resolve(new Response(form.files[0].path));
  };
  await withServer({ handle }, async ({ url, folder }) => {
    const response = await fetch(url, { method: "POST", body: multipartBody("b", [file]), headers: type });
    assert.equal(readFileSync(await response.text(), "utf8"), "sound");
    sent.resolve();
    await until("the folder is empty", () => readdirSync(folder).length === 0);
  });
});

test("all uploads together are bounded in number and in bytes", async () => {
  const done = deferred();
  const handle = async (): Promise<Response> => {
    await done.promise;
    return Response.json({});
  };
  const slots = new UploadSlots(2, 2 ** 20);
  await withServer({ handle, slots }, async ({ url }) => {
    const first = send(url, [file]);
    await until("the first is being worked on", () => slots.bytes > 0);
    const large = await send(url, [{ ...file, content: new Uint8Array(2 ** 20) }]);
    assert.deepEqual([large.status, large.answer.error.code], [503, "memory_pressure"]);
    const before = slots.bytes;
    const second = send(url, [file]);
    await until("the second is being worked on", () => slots.bytes > before);
    const third = await send(url, [file]);
    assert.deepEqual([third.status, third.answer.error.code], [429, "queue_full"]);
    assert.ok(Number(third.headers.get("retry-after")) > 0);
    done.resolve();
    assert.deepEqual([(await first).status, (await second).status], [200, 200]);
    assert.equal(slots.bytes, 0);
    assert.equal((await send(url, [file])).status, 200);
  });
});

test("no body of random pieces brings the server down or leaves a file", () =>
  withServer({}, async ({ url, folder, slots }) => {
    const piece = fc.oneof(
      fc.constantFrom(
        "--b",
        "\r\n",
        "--",
        "\r\n--b\r\n",
        "--b--",
        'content-disposition: form-data; name="model"',
        "\0",
      ),
      fc.constantFrom('content-disposition: form-data; name="file"; filename="x"', "\r\n\r\n", "content-type: ", "; "),
      fc.constantFrom("a: ".repeat(3000), 'name="', "filename*=UTF-8''%", "charset=x", "\r\n--b\r\n".repeat(1000)),
      fc.uint8Array({ maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { status } = await post(url, concat("--b\r\n", ...pieces), type);
        assert.ok(status === 200 || status === 400, String(status));
      }),
      { numRuns: 300 },
    );
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(slots.bytes, 0);
  }));
