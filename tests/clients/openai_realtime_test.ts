import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import OpenAI from "openai";
import { OpenAIRealtimeWS as BetaRealtimeWS } from "openai/beta/realtime/ws";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import type { RealtimeServerEvent } from "openai/resources/realtime/realtime";
import { type ApiProcess, openApiProcess } from "../support/api_process.ts";
import { base64Pcm, joined, syntheticVoice, whiteNoise } from "../support/synthetic_voice.ts";

const KEY = "secret-of-this-test";
const GREETING = "Hello! I am a tiny model, and I say what my script says.";

let server: ApiProcess;

before(async () => {
  server = await openApiProcess({ models: ["tiny-chat", "tiny-transcription"], args: [`--api-key=${KEY}`] });
});

after(() => server.close());

/** The client opens TLS alone, which a server on this machine does not have. */
const plain = { options: { createConnection: (({ port }: { port: number }) => connect(port, "127.0.0.1")) as never } };

const openai = (apiKey = KEY) => new OpenAI({ baseURL: `${server.url}/v1`, apiKey });

type Session = OpenAIRealtimeWS | OpenAIRealtimeWebSocket;
type Event<T extends string> = Extract<RealtimeServerEvent, { type: T }>;

/** The next event of a type. */
function next<T extends RealtimeServerEvent["type"]>(session: Session, type: T): Promise<Event<T>> {
  return new Promise((resolve, reject) => {
    const take = (event: RealtimeServerEvent): void => {
      if (event.type !== type) return;
      session.off("event", take);
      resolve(event as Event<T>);
    };
    session.on("event", take);
    session.on("error", reject);
  });
}

async function converses(session: Session): Promise<void> {
  const { session: made } = await next(session, "session.created");
  assert.equal(made.type, "realtime");
  const updated = next(session, "session.updated");
  session.send({ type: "session.update", session: { type: "realtime", output_modalities: ["text"] } });
  await updated;
  let text = "";
  session.on("response.output_text.delta", ({ delta }) => text += delta);
  const done = next(session, "response.done");
  const item = { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] } as const;
  session.send({ type: "conversation.item.create", item: { ...item, content: [...item.content] } });
  session.send({ type: "response.create" });
  const { response } = await done;
  assert.equal(response.status, "completed");
  assert.equal(text, GREETING);
  assert.ok(response.usage!.output_tokens! > 0);
}

// @row dialects > Realtime > real clients: `openai` of npm and of pip
test("openai of npm converses over ws", async () => {
  const session = new OpenAIRealtimeWS({ model: "tiny-chat", ...plain }, openai());
  await converses(session);
  session.close();
});

test("openai of npm converses over the WebSocket of the platform, with its key in a subprotocol", {
  skip: "WebSocket" in globalThis ? false : "this version of Node has none",
}, async () => {
  const session = new OpenAIRealtimeWebSocket({
    model: "tiny-chat",
    dangerouslyAllowBrowser: true,
    onURL: (url) => void (url.protocol = "ws"),
  }, openai());
  await converses(session);
  session.close();
});

test("the client of the beta gets the events of the beta", async () => {
  const session = new BetaRealtimeWS({ model: "tiny-chat", ...plain }, openai());
  const got = <T extends "session.created" | "session.updated" | "response.done">(type: T) =>
    new Promise<void>((resolve, reject) => {
      session.on(type, () => resolve());
      session.on("error", reject);
    });
  await got("session.created");
  const updated = got("session.updated");
  session.send({ type: "session.update", session: { modalities: ["text"] } });
  await updated;
  let text = "";
  session.on("response.text.delta", ({ delta }) => text += delta);
  const done = got("response.done");
  const content = [{ type: "input_text" as const, text: "hi" }];
  session.send({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
  session.send({ type: "response.create" });
  await done;
  assert.equal(text, GREETING);
  session.close();
});

test("openai of npm calls a function and sends its output", async () => {
  const session = new OpenAIRealtimeWS({ model: "tiny-chat", ...plain }, openai());
  await next(session, "session.created");
  const parameters = { type: "object", properties: { city: { type: "string" } } };
  session.send({
    type: "session.update",
    session: {
      type: "realtime",
      output_modalities: ["text"],
      tools: [{ type: "function", name: "get_weather", description: "The weather", parameters }],
    },
  });
  const say = (text: string) =>
    session.send({
      type: "conversation.item.create",
      item: { type: "message", role: "user", content: [{ type: "input_text", text }] },
    });
  const called = next(session, "response.function_call_arguments.done");
  const first = next(session, "response.done");
  say("the weather?");
  session.send({ type: "response.create" });
  const call = await called;
  assert.equal(call.name, "get_weather");
  assert.deepEqual(JSON.parse(call.arguments), { city: "Paris" });
  await first;
  const second = next(session, "response.done");
  const output = { type: "function_call_output", call_id: call.call_id, output: "sunny, 21" } as const;
  session.send({ type: "conversation.item.create", item: output });
  session.send({ type: "response.create" });
  const item = (await second).response.output!.at(-1)!;
  assert.ok(item.type === "message" && item.role === "assistant");
  assert.match(item.content[0].text ?? "", /sunny and 21 degrees/);
  session.close();
});

test("openai of npm sends sound and gets its transcript", async () => {
  const session = new OpenAIRealtimeWS({ model: "tiny-chat", ...plain }, openai());
  await next(session, "session.created");
  session.send({
    type: "session.update",
    session: {
      type: "realtime",
      output_modalities: ["text"],
      audio: { input: { transcription: { model: "whisper-1" }, format: { type: "audio/pcm", rate: 24_000 } } },
    },
  });
  const heard = next(session, "conversation.item.input_audio_transcription.completed");
  const done = next(session, "response.done");
  const quiet = () => whiteNoise(1, 24_000, -75);
  const sound = joined(quiet(), syntheticVoice(1.5, 24_000), quiet());
  for (let at = 0; at < sound.length; at += 2_400) {
    session.send({ type: "input_audio_buffer.append", audio: base64Pcm(sound.subarray(at, at + 2_400)) });
  }
  const { transcript } = await heard;
  assert.equal(typeof transcript, "string");
  if (transcript.trim() !== "") assert.equal((await done).response.status, "completed");
  session.close();
});

test("openai of npm sees errors: of events by their path, of keys before a session is open", async () => {
  const session = new OpenAIRealtimeWS({ model: "tiny-chat", ...plain }, openai());
  await next(session, "session.created");
  const refused = new Promise<{ error?: { code?: string | null; param?: string | null } | undefined }>((resolve) =>
    session.on("error", resolve)
  );
  session.send({ type: "conversation.item.delete", item_id: "none" });
  const { error } = await refused;
  assert.deepEqual([error?.code, error?.param], ["item_not_found", "item_id"]);
  session.close();
  const wrong = new OpenAIRealtimeWS({ model: "tiny-chat", ...plain }, openai("wrong"));
  const failure = await new Promise<Error>((resolve) => wrong.on("error", resolve));
  assert.match(failure.message, /401/);
});
