/**
 * Files of strangers that commands read: checkpoints, worlds and models that cost more than they look.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { encodePart, MAGIC } from "../../../lib/world/host/world_file/world_file.ts";
import { RecordWriter } from "../../../lib/world/session/journal/journal_records.ts";
import { forgeClipWorld, FORGED_WORLD } from "../../support/forged_world.ts";
import { hostilePickles } from "../../support/hostile_pickles.ts";
import { programOf, ROOT } from "../../support/program_arguments.ts";
import { storedZip } from "../../support/stored_zip_bytes.ts";
import type { Attack } from "./attack.ts";
import { checkLog } from "./moves.ts";
import { watchMemory } from "./watch.ts";

/** What a command may take, in megabytes and in milliseconds. */
const MEGABYTES = 1500;
const COMMAND_LIMIT = 60_000;

/** Runs a command of `svc` whose last status has to be one of these; says how long it took and how much memory. */
export async function command(home: string, args: readonly string[], expected: readonly number[]): Promise<string> {
  const begin = performance.now();
  const env = { ...process.env, SVC_API_KEY: "", SVC_MODELS_DIR: "", SVC_HOME: home };
  const child = spawn(process.execPath, [...programOf("cli/main.ts"), ...args], { cwd: ROOT, env });
  const memory = watchMemory(child.pid!);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => said += text);
  const timer = setTimeout(() => child.kill("SIGKILL"), COMMAND_LIMIT);
  const [status] = await once(child, "close");
  clearTimeout(timer);
  const megabytes = memory() ?? 0;
  const took = `${((performance.now() - begin) / 1000).toFixed(1)} s, ${megabytes.toFixed(0)} MB`;
  if (!expected.includes(status)) {
    throw new Error(`svc ${args.join(" ")}: ${status} after ${took}: ${said.slice(-300)}`);
  }
  if (megabytes > MEGABYTES) throw new Error(`svc ${args.join(" ")} took ${took}`);
  checkLog(said);
  return took;
}

/** Checkpoints and models; `home` has a store with the model `tiny-chat`. */
export function modelFileAttacks(home: string): readonly Attack[] {
  const folder = join(home, "strangers");
  mkdirSync(folder, { recursive: true });
  return [
    ...hostilePickles().map(([what, pickle], i) => ({
      name: `a pickle of ${what}, ${(pickle.length / 2 ** 20).toFixed(0)} MiB`,
      beside: true,
      run: () => {
        const path = join(folder, `${i}.pt`);
        writeFileSync(path, storedZip([["m/data.pkl", pickle]]));
        const out = join(folder, `${i}.safetensors`);
        return command(home, ["model", "convert", "--kind", "tensors", path, "-o", out], [1, 2]);
      },
    })),
    ...Object.entries(templates()).map(([what, template], i) => ({
      name: `a model whose template is ${what}`,
      beside: true,
      run: async (url: string) => {
        const id = `stranger-${i}`;
        const source = join(folder, id);
        cpSync(join(home, "sources", "tiny-chat"), source, { recursive: true });
        for (const name of ["tokenizer_config.json"]) {
          const path = join(source, name);
          writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), chat_template: template }));
        }
        writeFileSync(join(source, "chat_template.jinja"), template);
        const added = await command(home, ["model", "add", source, "--id", id], [0, 1, 2]);
        const answer = await fetch(`${url}/v1/chat/completions`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ model: id, messages: [{ role: "user", content: "hi" }], max_completion_tokens: 2 }),
        });
        const code = /"code":"(\w+)"/.exec(await answer.text())?.[1] ?? "";
        const isRefused = answer.status < 500 || ["model_unavailable", "template_failed"].includes(code);
        if (!isRefused) throw new Error(`a chat was answered ${answer.status} ${code}`);
        return `added in ${added}, a chat ${answer.status} ${code}`;
      },
    })),
  ];
}

/** Templates whose square takes minutes. */
function templates(): Record<string, string> {
  const spaces = " ".repeat(200_000);
  const turn = "{% for m in messages %}{{ m.content }}{% endfor %}";
  return {
    "raw text around 200,000 spaces": `{% raw %}a${spaces}b{%- endraw %}${turn}`,
    "50,000 tags without an end": "{% raw %}".repeat(50_000),
    "50,000 ends": `{% raw %}${"{% endraw".repeat(50_000)}`,
    "200,000 lines": `${"\n".repeat(200_000)}${turn}`,
    "a loop in a loop in a loop": `{% for a in range(9999) %}`.repeat(3) + "x" + "{% endfor %}".repeat(3),
  };
}

/** Worlds as files, imported into folders of their own. */
export function worldFileAttacks(home: string): readonly Attack[] {
  const folder = join(home, "strangers");
  mkdirSync(folder, { recursive: true });
  const first = JSON.stringify({
    record: "world",
    head: { id: FORGED_WORLD, backend: "actionworld", created_at: "2026-01-01T00:00:00.000Z" },
  });
  const list = (item: string, count: number) => `[${new Array(count).fill(item).join()}]`;
  const image = (session: string) => `{"record":"image","nodes":[],"session":${session}}`;
  const journals = {
    "30 MB of items": [image(list("0", 15_000_000))],
    "30 MB of lists": [image(list("[]", 10_000_000))],
    "30 MB of runs": [`{"record":"own","runs":${list('["move",1,1]', 2_300_000)}}`],
    "2,000,000 levels": [image("[".repeat(2_000_000) + "]".repeat(2_000_000))],
    "numbers as text": [image(`{"$":"floats","n":"${"A".repeat(2 ** 24)}"}`)],
  };
  return [
    ...Object.entries(journals).map(([what, records], i) => ({
      name: `a world whose journal has ${what}`,
      beside: true,
      run: () => {
        const path = join(folder, `journal-${i}.svcw`);
        writeFileSync(path, svcw(journal([first, ...records])));
        return command(home, ["world", "import", path, "--state-directory", join(folder, `state-${i}`)], [1, 2]);
      },
    })),
    {
      name: "a world that lacks files",
      run: async () => {
        const [state, whole] = [join(folder, "whole"), join(folder, "whole.svcw")];
        await forgeClipWorld(state, { frames: 5, steps: 2 });
        await command(home, ["world", "export", FORGED_WORLD, whole, "--state-directory", state], [0]);
        const bytes = readFileSync(whole);
        const answers: string[] = [];
        // The journal is the first part, and files come after it.
        const journalEnd = MAGIC.length + 9 + bytes.readUInt32BE(MAGIC.length + 1);
        for (const kept of [journalEnd, bytes.length - 20]) {
          const cut = join(folder, `cut-${kept}.svcw`);
          writeFileSync(cut, Buffer.concat([bytes.subarray(0, kept), encodePart("e", new Uint8Array())]));
          const target = join(folder, `cut-${kept}`);
          answers.push(await command(home, ["world", "import", cut, "--state-directory", target], [1, 2]));
        }
        return answers.join("; ");
      },
    },
  ];
}

function journal(records: readonly string[]): Uint8Array<ArrayBuffer> {
  const writer = new RecordWriter();
  const parts = [writer.start(), ...records.map((text) => writer.record(new TextEncoder().encode(text)))];
  return new Uint8Array(Buffer.concat(parts));
}

function svcw(journal: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(MAGIC), encodePart("j", journal), encodePart("e", new Uint8Array())]);
}
