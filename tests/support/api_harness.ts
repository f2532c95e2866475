import { ModelApi, type ModelApiOptions } from "../../lib/api/service/mod.ts";
import { unpackText } from "../../lib/http/packed_text.ts";
import type { Chats } from "../../lib/engines/contract/chat_engine.ts";
import type { OperationHandlers } from "../../lib/engines/contract/operation.ts";
import { promptAccess } from "./prompt_access.ts";
import { createApiApp } from "../../lib/api/http/api_app.ts";
import type { ServedPage } from "../../lib/http/page_routes.ts";
import type { AnswerRecord } from "../../lib/http/router.ts";
import { GIB } from "../../lib/scheduling/memory/memory_limits.ts";
import type { InstalledModel, RuntimeSettings } from "../../lib/store/catalog/installed_model.ts";
import type { ChatRequest } from "../../lib/protocol/mod.ts";
import { orAbort } from "../../lib/scheduling/linked_signal.ts";
import { openFile } from "../../lib/platform/files/open_file.ts";
import { openSpool } from "../../lib/platform/files/spool.ts";
import { makeUploadFolder } from "../../lib/platform/files/upload_folder.ts";
import { packedApiOpenApi } from "../../lib/api/http/api_openapi.generated.ts";
import { DescribedApi } from "./described_api.ts";
import { FakeCatalog } from "./fake_catalog.ts";
import { type FakeAnswer, FakeChatEngine } from "./fake_chat_engine.ts";
import { FakeOperationEngine, fakeOperations } from "./fake_operation_engine.ts";
import { FakeClock } from "./fake_clock.ts";

/** The API description that the server answers with. */
export const modelApi: DescribedApi = new DescribedApi(await unpackText(packedApiOpenApi));

/** Settings of {@linkcode ApiHarness}. */
export interface ApiHarnessOptions {
  readonly models?: InstalledModel[];
  readonly apiKey?: string;
  readonly allowOrigins?: readonly string[];
  readonly page?: ServedPage;
  /** 1,000 when omitted. */
  readonly rateLimitPerMinute?: number | undefined;
  readonly maxActiveRequests?: number;
  readonly maxQueuedRequests?: number;
  /** `chat-a` when omitted; none when empty. */
  readonly defaultModel?: string;
  readonly contextSize?: number;
  readonly answer?: (request: ChatRequest) => FakeAnswer;
  /** Answers chats in place of `answer`. */
  readonly chats?: Chats;
  /** What models of lanes do besides embedding and ranking. */
  readonly operations?: OperationHandlers;
  readonly readImage?: ModelApiOptions["readImage"];
  readonly openLocalModel?: ModelApiOptions["openLocalModel"];
  readonly checkSound?: NonNullable<ModelApiOptions["checkSound"]>;
  readonly records?: NonNullable<ModelApiOptions["records"]>;
}

/** A model API with fakes around it. */
export class ApiHarness {
  readonly clock = new FakeClock();
  readonly catalog: FakeCatalog;
  readonly api: ModelApi;
  readonly app: (request: Request, peer: string) => Promise<Response>;
  readonly answers: AnswerRecord[] = [];
  readonly errors: { readonly error: unknown; readonly id: string; readonly path: string }[] = [];
  /** Engines that run, by the id of their model. */
  readonly chats = new Map<string, FakeChatEngine>();
  readonly sidecars = new Map<string, FakeOperationEngine>();
  /** What starting an engine got. */
  readonly starts: { readonly id: string; readonly settings: RuntimeSettings }[] = [];
  /** What the start of each engine waits for, and fails with. */
  startGate: Promise<unknown> = Promise.resolve();
  startFailure: Error | undefined;
  /** GiB in use besides the engines; the guard allows 100. */
  usedGib = 0;
  #ids = 0;

  constructor(options: ApiHarnessOptions) {
    this.catalog = new FakeCatalog(options.models);
    const { clock, catalog } = this;
    const newId = () => `${String(++this.#ids).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const { defaultModel = "chat-a", openLocalModel } = options;
    this.api = new ModelApi({
      catalog,
      clock,
      newId,
      guard: { tier: "custom", customCeilingBytes: 100 * GIB },
      probe: () => Promise.resolve({ physicalBytes: 1000 * GIB, currentBytes: this.usedGib * GIB }),
      maxActiveRequests: options.maxActiveRequests ?? 1,
      maxQueuedRequests: options.maxQueuedRequests ?? 100,
      contextSize: options.contextSize ?? 32768,
      ...(defaultModel === "" ? {} : { defaultModel }),
      startChat: async (model, settings, signal) => {
        await this.#start(model, settings, signal);
        const profile = model.profile;
        if (profile?.kind !== "chat") throw new Error(`${model.id} does not chat`);
        const engine = new FakeChatEngine(profile, options.answer ?? (() => ({})));
        const { chats } = options;
        if (chats) Object.assign(engine, { chat: chats.chat.bind(chats), look: chats.look.bind(chats) });
        this.chats.set(model.id, engine);
        void engine.exited.then(() => this.chats.delete(model.id));
        return engine;
      },
      startLaneEngine: async (model, settings, signal) => {
        await this.#start(model, settings, signal);
        const { profile } = model;
        if (!profile || profile.kind === "chat") throw new Error(`${model.id} is of no lane`);
        const engine = new FakeOperationEngine(profile, { ...fakeOperations, ...options.operations });
        this.sidecars.set(model.id, engine);
        void engine.exited.then(() => this.sidecars.delete(model.id));
        return engine;
      },
      readImage: options.readImage ?? (() => Promise.reject(new Error("no images here"))),
      ...(openLocalModel ? { openLocalModel } : {}),
      ...(options.checkSound ? { checkSound: options.checkSound } : {}),
      ...(options.records ? { records: options.records } : {}),
      process: () => ({ processID: 17, startedAt: "2026-01-01T00:00:00.000Z", uptimeSeconds: 1 }),
    });
    this.app = createApiApp({
      api: this.api,
      access: promptAccess(options),
      version: "1.2.3",
      page: options.page,
      newId,
      clock,
      makeUploadFolder,
      openFile,
      openSpool,
      monotonic: () => clock.now(),
      rateLimitPerMinute: "rateLimitPerMinute" in options ? options.rateLimitPerMinute : 1000,
      onError: (error, { id, path }) => this.errors.push({ error, id, path }),
      onAnswer: (answer) => this.answers.push(answer),
    });
  }

  async #start(model: InstalledModel, settings: RuntimeSettings, signal: AbortSignal): Promise<void> {
    this.starts.push({ id: model.id, settings });
    await orAbort(this.startGate, signal);
    if (this.startFailure) throw this.startFailure;
  }

  /** Calls the HTTP handler from this machine; fails when the API description does not have the answer. */
  async call(method: string, path: string, init: CallInit = {}): Promise<Response> {
    const { headers = {}, body, json, form, peer = "127.0.0.1", signal } = init;
    const given = form ?? (json === undefined ? body : JSON.stringify(json));
    const request = new Request(`http://localhost:8080${path}`, {
      method,
      headers: { ...(json !== undefined && { "content-type": "application/json" }), ...headers },
      ...(given !== undefined && { body: given }),
      ...(signal && { signal }),
    });
    const response = await this.app(request, peer);
    await modelApi.assertDescribed(method, path, response);
    return response;
  }

  /** Asks for a chat; a model is named and the message is `Hi` unless `body` says otherwise. */
  chat(body: Record<string, unknown> = {}, init: CallInit = {}): Promise<Response> {
    return this.call("POST", "/v1/chat/completions", { ...init, json: { ...CHAT, ...body } });
  }

  async close(): Promise<void> {
    await this.api.close(AbortSignal.abort());
  }
}

/** Parts of a request. */
export interface CallInit {
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Sent as a form with files. */
  readonly form?: FormData;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly peer?: string;
  readonly signal?: AbortSignal;
}

/** A chat that is right in every field. */
export const CHAT = { model: "chat-a", messages: [{ role: "user", content: "Hi" }] };

/** A model API for one test, ended after it. */
export async function withApi(
  options: ApiHarnessOptions,
  work: (h: ApiHarness) => Promise<void>,
): Promise<void> {
  const harness = new ApiHarness(options);
  try {
    await work(harness);
  } finally {
    await harness.close();
  }
}

/** The frames of a stream of server-sent events: comments as they are, data parsed. */
export async function framesOf(response: Response): Promise<unknown[]> {
  const text = await response.text();
  return text.split("\n\n").filter((frame) => frame !== "").map((frame) => {
    if (frame.startsWith(":")) return frame;
    const data = frame.replace(/^data: /, "");
    return data === "[DONE]" ? data : JSON.parse(data);
  });
}

/** The named events of a stream of server-sent events, and their data. */
// deno-lint-ignore no-explicit-any
export async function eventsOf(response: Response): Promise<{ readonly [member: string]: any }[]> {
  const frames = (await response.text()).split("\n\n").filter((frame) => frame !== "" && !frame.startsWith(":"));
  return frames.map((frame) => {
    const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(frame)!;
    const parsed = JSON.parse(data);
    if (parsed.type !== event) throw new Error(`the event ${event} has the type ${parsed.type}`);
    return parsed;
  });
}

/** Fails unless a response is an error with this status and code; gives its error object. */
export async function refusal(
  response: Response,
  status: number,
  code: string,
): Promise<{ message: string; type: string; code: string; param?: string }> {
  const { error } = await response.json();
  if (response.status !== status || error.code !== code) {
    throw new Error(`expected ${status} ${code}, got ${response.status} ${JSON.stringify(error)}`);
  }
  return error;
}
