/**
 * `svc open-webui quickstart`: the server and Open WebUI in front of it, from the start to the end of both.
 *
 * @module
 */
import { checkSpeechFormat } from "../../lib/engines/speech/speech_operations.ts";
import {
  findProgram,
  runProcess,
  type StartedProgram,
  startProgram,
} from "../../lib/platform/processes/run_process.ts";
import { waitFor } from "../../lib/platform/locks/locked.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { pullModel } from "../../lib/store/pull_by_name.ts";
import { withEmbeddedModels } from "../../lib/app/models/embedded_models.ts";
import { startModelServer } from "../../lib/app/models/start_model_server.ts";
import { readAccess } from "../../servers/flags/access_flags.ts";
import { FRONT_ENDS, type FrontEnd } from "./front_end.ts";
import type { QuickstartOptions } from "./quickstart_flags.ts";
import { chooseWebuiModels } from "./webui_models.ts";
import { planWebui, type WebuiPlan, webuiPlanJson, webuiPlanLines } from "./webui_plan.ts";

/** What a quickstart works with. */
export interface QuickstartHost {
  /** Writes results. */
  readonly print: (text: string) => void;
  /** Writes sentences about progress. */
  readonly say: (sentence: string) => void;
  /** The environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when both are to end. */
  readonly signal: AbortSignal;
}

/** How long the front end may take to end, in milliseconds. */
const GRACE = 5000;

/** Milliseconds between two looks at the page. */
const POLL = 250;

/**
 * Runs it until `host.signal` aborts or the front end ends.
 *
 * @returns The exit status.
 * @throws {UsageError} when a model or program is missing.
 */
export async function quickstart(options: QuickstartOptions, host: QuickstartHost): Promise<number> {
  const first = await makePlan(options, host);
  if (options.output !== "run") {
    host.print(options.output === "json" ? webuiPlanJson(first) : webuiPlanLines(first));
    return 0;
  }
  if (first.problems.length > 0) throw new UsageError(`Cannot start Open WebUI: ${first.problems.join("; ")}`);
  for (const id of first.pull) {
    host.say(`Pulling ${id}`);
    await pullModel(id, { acceptLicense: options.acceptLicense, signal: host.signal });
  }
  // What was pulled is known now.
  const plan = first.pull.length > 0 ? await makePlan(options, host) : first;
  const { server: { host: address, port, start }, models, frontEnd } = plan;
  const apiKey = frontEnd.environment.find(({ name }) => name === "OPENAI_API_KEY")!.value;
  const settings = { host: address, port, apiKey, model: models.text, notify: host.say, announce: true };
  const server = start ? await startModelServer(settings, host.signal) : undefined;
  let program: StartedProgram | undefined;
  try {
    const path = await findProgram(frontEnd.command[0], host.env);
    if (path === undefined) throw new Error(`Cannot start ${frontEnd.program}: it no longer exists`);
    const settings = Object.fromEntries(frontEnd.environment.map(({ name, value }) => [name, value]));
    const others = Object.entries(host.env).filter(([name]) => !name.startsWith("SVC_"));
    host.say(`Starting ${frontEnd.program}, which may take minutes the first time`);
    program = startProgram(path, frontEnd.command.slice(1), { ...Object.fromEntries(others), ...settings });
    return await watch(program, plan, options.waitSeconds, host);
  } finally {
    await program?.stop(GRACE);
    await server?.close();
  }
}

async function makePlan(options: QuickstartOptions, { env }: QuickstartHost): Promise<WebuiPlan> {
  const installed = await withEmbeddedModels(openModelStore()).list();
  const { models, embedding, missing } = chooseWebuiModels(installed, options.named, options.pull);
  const problems: string[] = [];
  if (missing.length > 0 && !options.pull) {
    const commands = missing.map((id) => `svc model pull ${id}`).join(", ");
    problems.push(`${missing.join(", ")} is not installed, use --pull or ${commands}`);
  }
  if (models.text === undefined) problems.push("no chat model is installed, use --pull or svc model pull <id>");
  const found = options.program ?? await findFrontEnd(env);
  if (found === undefined || await findProgram(found, env) === undefined) {
    const what = found === undefined ? `none of ${FRONT_ENDS.join(", ")} is installed` : `${found} is not installed`;
    problems.push(`${what}, get Open WebUI with pip install open-webui`);
  }
  const program = found ?? FRONT_ENDS[0];
  const host = options.host ?? (program === "docker" ? "0.0.0.0" : "127.0.0.1");
  const newKey = (): string => crypto.randomUUID() + crypto.randomUUID();
  const apiKey = options.apiKey ?? newKey();
  readAccess({ host, "api-key": apiKey, "allow-origin": [] }, {}); // a key that can be guessed is refused
  const pull = options.pull ? missing : [];
  // Open WebUI stores MP3 as it comes, and needs an ffmpeg of its own for anything else.
  const speechFormat = options.speechFormat ?? await checkSpeechFormat("mp3").then(() => "mp3", () => "wav");
  return planWebui({
    ...options,
    speechFormat,
    apiKey,
    sessionKey: newKey(),
    models,
    embedding,
    pull,
    host,
    program,
    problems,
  });
}

/** The first program that is there; Docker counts only where its service answers. */
async function findFrontEnd(env: QuickstartHost["env"]): Promise<FrontEnd | undefined> {
  for (const name of FRONT_ENDS) {
    const path = await findProgram(name, env);
    if (path === undefined) continue;
    if (name !== "docker") return name;
    const asked = await runProcess(path, ["version", "--format", "{{.Server.Version}}"], new Uint8Array()).catch(() =>
      undefined
    );
    if (asked?.code === 0) return name;
  }
  return undefined;
}

/** Says when the page is there, and waits for the end. */
async function watch(
  program: StartedProgram,
  { frontEnd: { url, program: name } }: WebuiPlan,
  waitSeconds: number,
  { print, signal }: QuickstartHost,
): Promise<number> {
  let ended: number | Error | undefined;
  const end = program.ended.then((how) => ended = how);
  const deadline = performance.now() + waitSeconds * 1000;
  while (ended === undefined && !signal.aborted && !await answers(`${url}/health`)) {
    if (performance.now() > deadline) throw new Error(`Cannot reach Open WebUI at ${url} within ${waitSeconds} s`);
    await Promise.race([waitFor(POLL, signal).catch(() => {}), end]);
  }
  if (ended === undefined && !signal.aborted) print(`Open WebUI is at ${url}, press Ctrl+C to stop\n`);
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  await Promise.race([end, aborted]);
  if (signal.aborted) return 0;
  throw new Error(
    `Cannot continue: ${name} ended${ended instanceof Error ? `, ${ended.message}` : ` with status ${ended}`}`,
  );
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url, { signal: AbortSignal.timeout(1000) }).then(async (response) => {
    await response.body?.cancel();
    return response.ok;
  }, () => false);
}
