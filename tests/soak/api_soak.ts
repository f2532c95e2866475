/**
 * `deno run -A tests/soak/api_soak.ts [--seconds 60] [--seed 1]`: clients that do everything at random with a model API
 * server of tiny models: chat, stream, go away, load, unload, change settings, kill engines. Afterwards nothing may be
 * left of them. Prints what was counted; ends with status 1 when an answer was not one that a client can expect, or
 * something is left.
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { type ApiProcess, withApiProcess } from "../support/api_process.ts";
import { seededRandom } from "../support/random.ts";

const { values: given } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: "1" } },
});
const random = seededRandom(Number(given.seed));
const CLIENTS = 8;

/** Answers that the acts of others explain, by status and code. */
const EXPECTED = new Set([
  "200",
  "400 context_length_exceeded",
  "409 load_cancelled",
  "409 model_in_use",
  "500 engine_crashed",
  "503 model_unavailable",
]);

const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const chats = ["tiny-chat", "tiny-gguf", "tiny-diffusion"] as const;
const contents = ["hi", "emoji", "think", "a story", "the weather?", "both", "go on forever"];
const tools = ["get_weather", "get_time"].map((name) => ({ type: "function", function: { name } }));
const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"], additionalProperties: false };

const print = (line: string): void => void process.stdout.write(`${line}\n`);

type Act = (server: ApiProcess, signal: AbortSignal) => Promise<Response>;

const acts: Readonly<Record<string, Act>> = {
  chat: ({ post }, signal) => post("/v1/chat/completions", chatBody(), signal),
  stream: ({ post }, signal) => post("/v1/chat/completions", { ...chatBody(), stream: true }, signal),
  json: ({ post }, signal) => {
    const format = { type: "json_schema", json_schema: { name: "a", schema } };
    return post("/v1/chat/completions", { ...chatBody(["tiny-chat", "tiny-gguf"]), response_format: format }, signal);
  },
  embed: ({ post }, signal) => post("/v1/embeddings", { model: "tiny-embed", input: contents }, signal),
  rerank: ({ post }, signal) => post("/v1/rerank", { model: "tiny-rerank", query: "hi", documents: contents }, signal),
  load: ({ post }, signal) => post(`/runtime/models/${pick(chats)}/load`, {}, signal),
  unload: ({ post }, signal) => post(`/runtime/models/${pick(chats)}/unload`, {}, signal),
  settings: ({ url }, signal) =>
    fetch(`${url}/runtime/models/${pick(chats)}/settings`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ pinned: random() < 0.3, ...(random() < 0.3 && { ttlSeconds: 1 }) }),
      signal,
    }),
  look: ({ url }, signal) => fetch(url + pick(["/health", "/runtime/status", "/v1/models", "/metrics"]), { signal }),
};

function chatBody(models: readonly string[] = chats): object {
  const content = pick(contents);
  return {
    model: pick(models),
    messages: [{ role: "user", content }],
    max_completion_tokens: 200,
    ...(random() < 0.3 && { tools }),
  };
}

/** Does one thing; sometimes it goes before it is answered. */
async function act(server: ApiProcess): Promise<void> {
  const name = pick(Object.keys(acts));
  const go = new AbortController();
  const timer = random() < 0.3 ? setTimeout(() => go.abort(), random() * 300) : undefined;
  try {
    const response = await acts[name]!(server, go.signal);
    const text = await response.text();
    const code = response.ok ? errorOfStream(text) : JSON.parse(text).error.code;
    const answer = code === undefined ? `${response.status}` : `${response.ok ? 500 : response.status} ${code}`;
    count(`${name}: ${answer}`);
    if (!EXPECTED.has(answer)) throw new Error(`${name} was answered ${answer}: ${text}`);
  } catch (error) {
    if (!go.signal.aborted) throw error;
    count(`${name}: gone`);
  } finally {
    clearTimeout(timer);
  }
}

/** The code of the error that ends a stream. */
function errorOfStream(text: string): string | undefined {
  const last = text.trimEnd().split("\n\n").at(-1) ?? "";
  return last.startsWith('data: {"error"') ? JSON.parse(last.slice("data: ".length)).error.code : undefined;
}

/** Kills an engine now and then. */
function killEngine(server: ApiProcess): void {
  const pids = [...server.stderr().matchAll(/model_loaded .*process=(\d+)/g)].map(([, pid]) => Number(pid));
  try {
    process.kill(pick(pids.slice(-4)), "SIGKILL");
    count("killed");
  } catch {
    // it was gone already
  }
}

async function soak(server: ApiProcess): Promise<void> {
  const end = performance.now() + Number(given.seconds) * 1000;
  const killer = setInterval(() => killEngine(server), 2000);
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    while (performance.now() < end) await act(server);
  }));
  clearInterval(killer);
  for (;;) {
    const { admission, models } = await server.get("/runtime/status");
    if (admission.activeRequests + admission.queuedRequests > 0) continue;
    const { totalAdmittedRequests: admitted, totalCompletedRequests: completed } = admission;
    const loaded = models.filter((model: { loaded: boolean }) => model.loaded).length;
    print(
      `${admitted} requests had a slot, ${completed} of them were worked on to their end, ${loaded} models are loaded`,
    );
    return;
  }
}

const models = [...chats, "tiny-embed", "tiny-rerank"] as const;
await withApiProcess({ models, args: ["--model=tiny-chat", "--max-active-requests=4"] }, async (server) => {
  try {
    await soak(server);
  } finally {
    for (const [what, times] of [...counts].sort()) print(`${String(times).padStart(6)}  ${what}`);
  }
  const unexpected = server.stderr().split("\n").filter((line) => line.includes("internal_error"));
  if (unexpected.length > 0) throw new Error(unexpected.join("\n"));
});
