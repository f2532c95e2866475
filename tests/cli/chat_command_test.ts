import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatHost, runChatCommand } from "../../cli/chat/chat.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";

const DEFAULT_ORIGIN = "http://127.0.0.1:8080";
const OWN_ORIGIN = "http://127.0.0.1:40000";

interface Asked {
  readonly model: string;
  readonly messages: readonly { role: string; content: string }[];
  readonly temperature?: number;
  readonly max_completion_tokens?: number;
  readonly stream_options?: { readonly include_reasoning?: boolean };
}

interface MachineOptions {
  /** Ids of the models of the server at the default address; without them none runs there. */
  readonly running?: readonly string[];
  /** What a person types; undefined for a pipe. */
  readonly typed?: readonly string[];
  readonly piped?: string;
  /** The answer to a message, in pieces; "^C" presses Ctrl+C. */
  readonly answer?: (message: string) => readonly string[];
  readonly key?: string;
}

/** A machine with a server of models, at the default address or to be started. */
function machine({ running, typed, piped = "", answer = (text) => ["You said ", text], key }: MachineOptions = {}) {
  const [out, err, asked]: [string[], string[], Asked[]] = [[], [], []];
  const environment: Record<string, string> = { NO_COLOR: "1" };
  const count = { started: 0, closed: 0 };
  const interrupts = new Set<() => void>();
  const lines = [...typed ?? []];
  let now = 0;

  const reply = (body: Asked, signal: AbortSignal): Response => {
    asked.push(body);
    const pieces = answer(body.messages.at(-1)!.content);
    if (pieces[0] === "refuse") {
      return Response.json({ error: { message: "Cannot chat: no", code: "no", type: "x" } }, { status: 400 });
    }
    const chunk = (delta: object, finish_reason: string | null = null) =>
      frame({ choices: [{ index: 0, delta, finish_reason }], usage: null });
    const frame = (value: object) => new TextEncoder().encode(`data: ${JSON.stringify(value)}\n\n`);
    const usage = { completion_tokens: 7, prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } };
    const frames = [
      chunk({ role: "assistant", content: "" }),
      ...pieces.map((piece) =>
        piece === "^C"
          ? undefined
          : chunk(piece.startsWith("~") ? { reasoning_content: piece.slice(1) } : { content: piece })
      ),
      chunk({}, "stop"),
      frame({ choices: [], usage }),
      new TextEncoder().encode("data: [DONE]\n\n"),
    ];
    return new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          now += 100;
          const next = frames.shift();
          if (next) controller.enqueue(next);
          else if (frames.length === 0) controller.close();
          else {
            for (const call of [...interrupts]) call();
            assert.ok(signal.aborted, "nobody listens to Ctrl+C");
          }
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  };

  const host: ChatHost = {
    write: (text, paint) => out.push(paint && !environment.NO_COLOR ? `<dim>${text}</dim>` : text),
    err: (line) => err.push(line),
    environment: (name) => environment[name],
    interactive: typed !== undefined,
    ask: (_prompt, onCancel) => {
      while (lines[0] === "^C") {
        lines.shift();
        onCancel();
      }
      return Promise.resolve(lines.shift());
    },
    readInput: () => Promise.resolve(piped),
    onInterrupt: (call) => {
      interrupts.add(call);
      return () => interrupts.delete(call);
    },
    start: (model) => {
      count.started++;
      const close = () => Promise.resolve(void count.closed++);
      return Promise.resolve({ url: OWN_ORIGIN, apiKey: "own", model: model.replace(/.*\//, ""), close });
    },
    now: () => now,
    fetch: async (request) => {
      const { origin, pathname } = new URL(request.url);
      const own = origin === OWN_ORIGIN;
      if (!own && (origin !== DEFAULT_ORIGIN || !running)) throw new TypeError("connection refused");
      const wanted = own ? "own" : key;
      if (wanted && request.headers.get("authorization") !== `Bearer ${wanted}`) {
        return Response.json({ error: { message: "no key", code: "missing_api_key" } }, { status: 401 });
      }
      if (pathname === "/v1/chat/completions") return reply(await request.json(), request.signal);
      const ids = own ? ["tiny", "other"] : running!;
      const data = ids.map((id) => ({ id, task: "chat.completions", owned_by: "svc" }));
      return Response.json({ data: [...data, { id: "vectors", task: "embeddings", owned_by: "svc" }] });
    },
  };
  const run = (...args: string[]) => runChatCommand(args, host);
  return { out, err, asked, count, environment, interrupts, lines, run };
}

test("svc chat answers a message of the command line once, on the server that runs", async () => {
  const { out, asked, count, run, err, interrupts } = machine({ running: ["Tiny"] });
  assert.equal(await run("tiny", "Hello", "there", "--temperature=0.5", "--max-tokens=9", "--system=Be brief"), 0);
  assert.equal(out.join(""), "You said Hello there\n");
  assert.deepEqual([err, count.started, interrupts.size], [[], 0, 0]);
  const [{ model, messages, temperature, max_completion_tokens }] = asked as [Asked];
  assert.deepEqual({ model, temperature, max_completion_tokens }, {
    model: "tiny",
    temperature: 0.5,
    max_completion_tokens: 9,
  });
  assert.deepEqual(messages, [{ role: "system", content: "Be brief" }, { role: "user", content: "Hello there" }]);
});

test("svc chat answers what is piped in, and runs a model that no server has", async () => {
  for (const running of [undefined, ["another"]]) {
    const { out, asked, count, run } = machine({ piped: "from a pipe\n", ...(running && { running }) });
    assert.equal(await run("./models/tiny"), 0);
    assert.equal(out.join(""), "You said from a pipe\n");
    assert.equal(asked[0]?.model, "tiny");
    assert.deepEqual(count, { started: 1, closed: 1 });
  }
});

test("svc chat prints the one answer with its counts as JSON", async () => {
  const { out, run } = machine({ running: ["tiny"] });
  assert.equal(await run("tiny", "Hi", "--json"), 0);
  const { content, finish_reason, usage, seconds, model } = JSON.parse(out.join(""));
  assert.deepEqual([model, content, finish_reason, usage.completion_tokens], ["tiny", "You said Hi", "stop", 7]);
  assert.ok(seconds > 0);
});

test("svc chat remembers what was said, and its commands change that", async () => {
  const typed = ["one", "two", "/clear", "three", "/system Be kind", "four", "/system", "five", "/quit", "six"];
  const { asked, run, out, err } = machine({ running: ["tiny"], typed });
  assert.equal(await run("tiny"), 0);
  assert.deepEqual(asked.map(({ messages }) => messages.map(({ role, content }) => `${role[0]}:${content}`)), [
    ["u:one"],
    ["u:one", "a:You said one", "u:two"],
    ["u:three"],
    ["s:Be kind", "u:three", "a:You said three", "u:four"],
    ["u:three", "a:You said three", "u:four", "a:You said four", "u:five"],
  ]);
  assert.match(out.join(""), /^You said one\nYou said two\n/);
  assert.match(
    err.join("\n"),
    /7 tokens in 0\.\d s \(\d+\.\d tokens\/s\), TTFT 0\.\d\d s, prompt 5 tokens, 2 cached/,
  );
});

test("svc chat continues with another model, lists them and says which are unknown", async () => {
  const { asked, run, err } = machine({
    running: ["tiny", "Big"],
    typed: ["/model", "/model none", "/model big", "hi"],
  });
  assert.equal(await run("tiny"), 0);
  assert.equal(asked[0]?.model, "Big");
  assert.match(err.join("\n"), /Models:\n {2}\* tiny\n {4}Big\nUnknown model none, [^]*Switched to Big/);
  assert.doesNotMatch(err.join("\n"), /vectors/);
});

test("svc chat keeps a continued line and one that only looks like a command", async () => {
  const { asked, run, err } = machine({
    running: ["tiny"],
    typed: ["one\\", "two", "/etc/hosts is what?", "/hlep", " "],
  });
  assert.equal(await run("tiny"), 0);
  assert.deepEqual(asked.map(({ messages }) => messages.at(-1)?.content), ["one\ntwo", "/etc/hosts is what?"]);
  assert.match(err.join("\n"), /Unknown command \/hlep, did you mean \/help\?/);
});

test("svc chat stops the answer on Ctrl+C and not the program", async () => {
  const { asked, run, out, err, interrupts } = machine({
    running: ["tiny"],
    typed: ["long", "^C", "next"],
    answer: (text) => text === "long" ? ["a bit", "^C", "never"] : ["done"],
  });
  assert.equal(await run("tiny"), 0);
  assert.equal(out.join(""), "a bit\ndone\n");
  assert.deepEqual(asked[1]?.messages.map(({ content }) => content), ["long", "a bit", "next"]);
  assert.match(err.join("\n"), /\ncancelled\n\(Ctrl\+D or \/quit to quit\)\n/);
  assert.equal(interrupts.size, 0);
});

test("svc chat ends with status 1 when Ctrl+C stops its one answer", async () => {
  const { run } = machine({ running: ["tiny"], answer: () => ["a", "^C"] });
  assert.equal(await run("tiny", "Hi"), 1);
});

test("svc chat reports errors of the server and prompts again", async () => {
  const answer = (text: string) => text === "bad" ? ["refuse"] : ["fine"];
  const { asked, run, out, err } = machine({ running: ["tiny"], typed: ["bad", "good"], answer });
  assert.equal(await run("tiny"), 0);
  assert.ok(err.includes("Cannot chat: no"));
  assert.equal(out.join(""), "fine\n");
  assert.equal(asked[1]?.messages.length, 1);
  await assert.rejects(machine({ running: ["tiny"], answer }).run("tiny", "bad"), /^ApiError: Cannot chat: no$/);
});

test("svc chat gives the server its key and says when one is missing", async () => {
  const { run, environment } = machine({ running: ["tiny"], key: "k" });
  await assert.rejects(run("tiny", "Hi"), /it requires a key, set --api-key or SVC_API_KEY$/);
  environment["SVC_API_KEY"] = "k";
  assert.equal(await run("tiny", "Hi"), 0);
  assert.equal(await machine({ running: ["tiny"], key: "k" }).run("tiny", "Hi", "--api-key=k"), 0);
});

test("svc chat says what is wrong with its command line", async () => {
  const wrong: [string[], RegExp][] = [
    [[], /the model is missing/],
    [["tiny", "--url=here"], /--url is "here", expected an address/],
    [["tiny", "--temperature=3"], /expected a number from 0 to 2/],
    [["tiny", "--max-tokens=0"], /expected an integer from 1/],
    [["tiny"], /no message given/],
  ];
  for (const [args, message] of wrong) {
    await assert.rejects(machine().run(...args), (error) => {
      return error instanceof UsageError && message.test(error.message);
    }, args.join());
  }
  await assert.rejects(machine({ typed: [] }).run("tiny", "--json"), /--json needs a message/);
  await assert.rejects(machine().run("tiny", "Hi", "--url=http://127.0.0.1:9"), /Cannot reach http:\/\/127\.0\.0\.1:9/);
  const { run, out } = machine();
  assert.equal(await run("--help"), 0);
  assert.match(out.join(""), /--system TEXT/);
});

test("svc chat shows reasoning while it is generated, dimmed, and keeps it out of a pipe", async () => {
  const answer = () => ["~Two and", "~ two.", "Four", "."];
  const talk = machine({ running: ["tiny"], typed: ["2 + 2?"], answer });
  assert.equal(await talk.run("tiny"), 0);
  assert.equal(talk.out.join(""), "Two and two.\n\nFour.\n");
  talk.out.length = 0;
  delete talk.environment.NO_COLOR;
  talk.lines.push("2 + 2?");
  assert.equal(await talk.run("tiny"), 0);
  assert.equal(talk.asked[0].stream_options?.include_reasoning, true);
  const dim = (text: string) => `<dim>${text}</dim>`;
  assert.equal(talk.out.join(""), `${dim("Two and")}${dim(" two.")}\n\nFour.\n`);
  const pipe = machine({ running: ["tiny"], piped: "2 + 2?", answer });
  assert.equal(await pipe.run("tiny"), 0);
  assert.equal(pipe.out.join(""), "Four.\n");
});
