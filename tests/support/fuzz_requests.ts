import fc from "fast-check";
import { motionsOf } from "../../lib/world/protocol/motion_table.ts";

/** A request that may be wrong in any way. `{job}` and `{lock}` in its path stand for ids on the server. */
export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly peer: string;
}

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const none = fc.constant(undefined);
const SESSION = "/v1/world/session";
const UNKNOWN = "ffffffff-0000-4000-8000-000000000000";

const id = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("{job}", "{lock}") },
  { weight: 1, arbitrary: fc.constantFrom(UNKNOWN, UNKNOWN.toUpperCase(), "7", "..%2F..", "%00", "%", "a b", "é") },
);
const index = fc.constantFrom("0", "1", "2", "-1", "999999999", "1e9", "9999999999", "x", "%30");
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(0, -1, 1e309, 1e-320, 2 ** 53, "18446744073709551616", "", "\0", "x".repeat(5000), null, [], {}),
);
/** One of these, and now and then one of those. */
const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>): fc.Arbitrary<T> => {
  return fc.oneof({ weight: 15, arbitrary: good }, { weight: 1, arbitrary: bad });
};
const positive = mostly(fc.double({ min: 0.01, max: 100, noNaN: true }), fc.double());
const vector = mostly<number[]>(
  fc.constantFrom([0, 0, 0], [0, 0, 0.5], [0, 0, -0.5], [0.5, 0, 0]),
  fc.array(fc.double(), { maxLength: 4 }),
);
const common = {
  prompt: mostly(fc.constant("a corridor"), fc.constantFrom(" ", "")),
  width: mostly(fc.constant(64), fc.constantFrom(0, 33, 1280, 1312)),
  height: mostly(fc.constant(32), fc.constantFrom(64, 704, 736)),
  seed: fc.oneof(fc.maxSafeNat(), fc.bigInt(0n, 2n ** 64n).map(String)),
  fps: mostly(fc.constantFrom(16, 24, 240), fc.constantFrom(0, 241, 1.5)),
  source_image: mostly(
    fc.constant("a.png"),
    fc.constantFrom("missing.png", "/etc/passwd", "..", "x".repeat(300), "a\nb"),
  ),
};
const output = fc.constantFrom("out.mp4", "no/out.mp4", "/tmp/out.mp4", ".", "x".repeat(300), "transition-0001.mp4");
const motions = fc.constantFrom(...motionsOf(true));
const transition = fc.record({
  ...common,
  output: fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: output }),
  camera: fc.record({
    motion: mostly(motions, fc.constant("fly")),
    translation_meters: vector,
    rotation_degrees: vector.map((numbers) => numbers.map((n) => n * 30)),
  }),
  num_frames: mostly(fc.constantFrom(1, 9, 17), fc.constantFrom(0, 1006)),
  steps: mostly(fc.constant(4), fc.constant(0)),
  guidance_scale: positive,
  shift: positive,
}, { requiredKeys: ["prompt", "camera"] });
const rollout = fc.record({
  ...common,
  output: fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: output }),
  action_seq: fc.array(mostly(fc.constantFrom("w", "s", "WL", " "), fc.constantFrom("ws", "")), {
    minLength: 1,
    maxLength: 4,
  }),
  action_speed_list: fc.oneof({ weight: 3, arbitrary: none }, {
    weight: 1,
    arbitrary: fc.array(positive, { maxLength: 4 }),
  }),
  num_output_frames: mostly(fc.constantFrom(3, 6), fc.constantFrom(0, 4)),
  speed: positive,
}, { requiredKeys: ["prompt", "action_seq"] });
const lock = fc.record({ name: fc.oneof(fc.string({ maxLength: 8 }), fc.constant("🚪".repeat(201))) });
const reset = fc.record({ source_image: common.source_image });

/** One field more, of any name and kind; often one that there is. */
const invalid = fc.tuple(
  fc.oneof(transition, rollout, lock, reset),
  fc.oneof(fc.constantFrom("prompt", "camera", "seed", "numFrames", "actionSeq", "width", "name"), fc.string()),
  anything,
).map(([body, name, value]) => ({ ...body, [name]: value }));
const camel = (text: string): string => text.replace(/_([a-z])(?=\w*":)/g, (_, letter: string) => letter.toUpperCase());
const json = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(transition, rollout, lock, reset).map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: fc.oneof(transition, rollout).map((value) => camel(JSON.stringify(value))) },
  { weight: 2, arbitrary: invalid.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: anything.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.tuple(rollout, fc.nat(40)).map(([value, end]) => JSON.stringify(value).slice(0, end)) },
  { weight: 1, arbitrary: fc.constant('{"prompt":"a","prompt":"b"}') },
);
const wrongBody = fc.oneof(json.map(encode), fc.uint8Array({ maxLength: 64 }).map((bytes) => new Uint8Array(bytes)));
const image = fc.constantFrom("image 64 32 7", "image 64 32 7", "image 32 32 9", "GIF?").map(encode);

const header = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom("application/json", "image/png", "text/plain").map((t) => ["content-type", t]),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("bytes=0-3", "bytes=-1", "bytes=99999-", "bytes=x").map((r) => ["range", r]),
  },
  { weight: 1, arbitrary: fc.constantFrom("*", '"x"', "W/").map((tag) => ["if-none-match", tag]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("http://localhost:1", "https://evil.example.com", "null").map((o) => ["origin", o]),
  },
  { weight: 1, arbitrary: fc.constantFrom("evil.example.com", "", "[::1]:80", "a:b:c").map((host) => ["host", host]) },
  { weight: 1, arbitrary: fc.constantFrom("Bearer key", "Bearer", "Basic eDp5").map((a) => ["authorization", a]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("7", "x.1", "-", "00000000-0000-4000-8000-000000000001.0").map((
      e,
    ) => ["last-event-id", e]),
  },
  { weight: 1, arbitrary: fc.constantFrom("0", "x", "99999999999", "-1").map((length) => ["content-length", length]) },
);

/** A method of a path with the kind of body it takes. */
type Aim = Omit<FuzzedRequest, "peer">;

const get = (
  paths: fc.Arbitrary<string>,
  headers: fc.Arbitrary<Aim["headers"]> = fc.constant({}),
): fc.Arbitrary<Aim> => {
  return fc.record({ method: fc.constantFrom("GET", "GET", "GET", "HEAD"), path: paths, headers, body: none });
};
const post = (path: string, type: string, body: fc.Arbitrary<Aim["body"]>): fc.Arbitrary<Aim> => {
  return body.map((bytes) => ({ method: "POST", path, body: bytes, headers: { "content-type": type } }));
};
const bare = (method: "POST" | "DELETE", paths: fc.Arbitrary<string>): fc.Arbitrary<Aim> => {
  return paths.map((path) => ({ method, path, body: undefined, headers: {} }));
};
const asJson = (value: fc.Arbitrary<unknown>): fc.Arbitrary<Aim["body"]> => {
  return fc.oneof(value.map((one) => JSON.stringify(one)), value.map((one) => camel(JSON.stringify(one)))).map(encode);
};
const type = "application/json";
const JOB = "/v1/world/jobs";
const LOCKS = `${SESSION}/checkpoints`;
const part = fc.oneof(
  fc.constantFrom<Aim["headers"][]>({}, { "if-none-match": "*" }, { "if-range": '"x"', range: "bytes=0-3" }),
  fc.constantFrom("bytes=0-3", "bytes=-1", "bytes=99999-", "bytes=x").map((range): Aim["headers"] => ({ range })),
);

const aim: fc.Arbitrary<Aim> = fc.oneof(
  { weight: 8, arbitrary: post(`${SESSION}/transitions`, type, asJson(transition)) },
  { weight: 8, arbitrary: post(`${SESSION}/rollouts`, type, asJson(rollout)) },
  { weight: 6, arbitrary: post(`${SESSION}/source`, "image/png", image) },
  { weight: 4, arbitrary: post(LOCKS, type, asJson(lock)) },
  { weight: 1, arbitrary: post(`${SESSION}/reset`, type, asJson(reset)) },
  {
    weight: 3,
    arbitrary: bare("POST", fc.constantFrom("prepare", "prepare", "reset", "unload").map((end) => `${SESSION}/${end}`)),
  },
  { weight: 3, arbitrary: bare("POST", id.map((lock) => `${LOCKS}/${lock}/restore`)) },
  { weight: 2, arbitrary: bare("DELETE", id.map((lock) => `${LOCKS}/${lock}`)) },
  { weight: 2, arbitrary: bare("DELETE", id.map((job) => `${JOB}/${job}`)) },
  { weight: 2, arbitrary: get(id.map((job) => `${JOB}/${job}`)) },
  { weight: 2, arbitrary: get(id.map((lock) => `${LOCKS}/${lock}/media/frame`), part) },
  { weight: 2, arbitrary: get(fc.tuple(id, index).map(([job, i]) => `${JOB}/${job}/media/chunks/${i}`), part) },
  {
    weight: 6,
    arbitrary: get(
      fc.tuple(id, fc.constantFrom("output", "terminal-frame", "chunks/0", "chunks")).map(
        ([job, file]) => `${JOB}/${job}/media/${file}`,
      ),
      part,
    ),
  },
  { weight: 3, arbitrary: get(fc.constantFrom("", "/media/frame", "/checkpoints").map((end) => SESSION + end)) },
  {
    weight: 4,
    arbitrary: get(
      fc.constantFrom("/", "/health", "/openapi.json", "/v1/world/events", "/v1/world/start", "/v1/world/start/image"),
    ),
  },
  { weight: 1, arbitrary: get(fc.constantFrom("/%68ealth", "/health/", "/health%2F", "/v1//world", "/health?x=1")) },
  { weight: 1, arbitrary: get(fc.webPath({ size: "small" }).map((text) => `/${text}`)) },
);

/** One of many times something else than what the aim has. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => {
  return fc.oneof({ weight: 12, arbitrary: none }, { weight: 1, arbitrary });
};

/** Requests to a world server, most of them nearly right. */
export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc.tuple(
  aim,
  rarely(fc.constantFrom("GET", "POST", "DELETE", "OPTIONS", "PUT", "PATCH", "FROB", "get")),
  rarely(wrongBody),
  fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(header, { maxLength: 2 }) }),
  rarely(fc.constantFrom("10.0.0.1", "::1", "127.0.0.1")),
).map(([aimed, method, body, headers, peer]) => ({
  method: method ?? aimed.method,
  path: aimed.path,
  headers: { ...aimed.headers, ...Object.fromEntries(headers) },
  body: body ?? aimed.body,
  peer: peer ?? "127.0.0.1",
}));
