/**
 * A model API server in a process of its own, to be measured from outside.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A streamed answer. */
export interface StreamedChat {
  /** Milliseconds from the request to each chunk with text. */
  readonly times: readonly number[];
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** A server that has loaded its model. */
export interface ApiBenchServer {
  readonly url: string;
  /** Sends a request of a path, which is answered as a whole, and waits for it. */
  readonly send: (path: string, body: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Sends a chat that is answered as a whole, and waits for it. */
  readonly chat: (body: Readonly<Record<string, unknown>>) => Promise<void>;
  /** Sends a chat that is answered in pieces. */
  readonly stream: (body: Readonly<Record<string, unknown>>) => Promise<StreamedChat>;
}

/** Starts a server by a command line that takes the flags of `svc api serve`, and stops it after the work. */
export async function withApiBenchServer<T>(
  command: readonly string[],
  model: string,
  work: (server: ApiBenchServer) => Promise<T>,
): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "svc-bench-"));
  const flags = ["--model", model, "--port=0", "--json", "--device=cpu", "--memory-guard=off"];
  const args = [...command.slice(1), ...flags, "--context-size=4096", "--rate-limit-per-minute=1000000"];
  const child = spawn(command[0], args, {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, SVC_HOME: home, SVC_API_KEY: "" },
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = "";
      child.stdout!.on("data", (bytes) => {
        text += bytes;
        if (text.includes("\n")) resolve(JSON.parse(text.split("\n")[0]).url);
      });
      child.on("exit", (code) => reject(new Error(`Cannot measure the server: it ended with status ${code}`)));
    });
    return await work(connect(url));
  } finally {
    child.kill();
    await new Promise((resolve) => child.on("close", resolve));
    await rm(home, { recursive: true, force: true });
  }
}

function connect(url: string): ApiBenchServer {
  const post = async (
    body: Readonly<Record<string, unknown>>,
    path = "/v1/chat/completions",
  ): Promise<Response> => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "", temperature: 0, ...body }),
    });
    if (!response.ok) throw new Error(`Cannot measure the server: it said ${await response.text()}`);
    return response;
  };
  return {
    url,
    send: async (path, body) => void await (await post(body, path)).arrayBuffer(),
    chat: async (body) => void await (await post(body)).arrayBuffer(),
    stream: async (body) => {
      const start = performance.now();
      return await readStream(await post({ ...body, stream: true, stream_options: { include_usage: true } }), start);
    },
  };
}

async function readStream(response: Response, start: number): Promise<StreamedChat> {
  const times: number[] = [];
  let usage = { prompt_tokens: 0, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 0 } };
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    const events = text.split("\n\n");
    text = events.pop()!;
    for (const event of events) {
      if (!event.startsWith("data: {")) continue;
      const chunk = JSON.parse(event.slice(6));
      if (chunk.choices?.[0]?.delta?.content) times.push(performance.now() - start);
      usage = chunk.usage ?? usage;
    }
  }
  return {
    times,
    promptTokens: usage.prompt_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    completionTokens: usage.completion_tokens,
  };
}
