import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { programArguments, programOf, ROOT } from "../support/program_arguments.ts";
import { runSvc } from "../support/run_svc.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** The blocks of a tutorial. */
function blocksOf(name: string): readonly { readonly language: string; readonly text: string }[] {
  const text = readFileSync(join(ROOT, "docs/tutorials", name), "utf8");
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }));
}

test("every command of the tutorials exists with its flags", () =>
  withFolder(async (home) => {
    const script = (await runSvc(home, ["completion", "bash"])).stdout;
    const known = new Map(
      [...script.matchAll(/^ {4}"([a-z -]*)"\).* list="([^"]*)" ;;$/gm)].map((
        [, path, words],
      ) => [path, words.split(" ")]),
    );
    for (const name of readdirSync(join(ROOT, "docs/tutorials"))) {
      const shell = blocksOf(name).filter(({ language }) => language === "sh").map(({ text }) => text).join("");
      const lines = [...shell.matchAll(/^(?:svc|npm start --) (.*)$/gm)].map(([, line]) => line);
      assert.ok(lines.length > 1, name);
      for (const line of lines) {
        const words = line.split(" ");
        let path = "";
        while (/^[a-z]/.test(words[0]) && known.get(path)?.includes(words[0])) path = `${path} ${words.shift()}`.trim();
        const at = path === "" ? "world serve" : path;
        for (const flag of words.filter((word) => /^-/.test(word))) {
          assert.ok(known.get(at)?.includes(flag), `${name}: svc ${line}: ${flag} of ${at}`);
        }
      }
    }
  }));

test("the first walk is saved, repeated by a program and taken up by another server, as the tutorial says", () =>
  withFolder(async (folder) => {
    const [here, there] = ["here", "there"].map((name) => join(folder, name));
    const start = (home: string) =>
      startServer(["--port=0", "--json", "--device=cpu"], { SVC_HOME: home, SVC_MODELS_DIR: "" });
    const blocks = blocksOf("first-walk.md");
    const sh = (begin: string) =>
      blocks.find(({ language, text }) => language === "sh" && text.startsWith(begin))!.text;
    const client = new URL("../../lib/world/client/mod.ts", import.meta.url).href;
    const program = blocks.find(({ language }) => language === "js")!.text.replace("@svc/sdk/client", client);
    writeFileSync(join(folder, "replay.mjs"), program);
    const svc = [process.execPath, ...programOf("cli/main.ts")].map((word) => `'${word}'`).join(" ");
    const node = [process.execPath, ...programArguments()].map((word) => `'${word}'`).join(" ");
    let id = "6c52791c-7807-467a-996b-0c4cbf52730d";
    const run = (home: string, url: string, text: string): Promise<string> => {
      const script = text.replaceAll("http://127.0.0.1:8791", url).replaceAll(
        "6c52791c-7807-467a-996b-0c4cbf52730d",
        id,
      )
        .replaceAll("svc world walk ", `svc world walk --url ${url} `);
      const set = `svc() { ${svc} "$@"; }\nnode() { ${node} "$@"; }\nworld=${url}/worlds/${id}\n`;
      return new Promise((resolve, reject) =>
        execFile("bash", ["-ec", `exec 2>&1\n${set}${script}`], {
          cwd: folder,
          env: { ...process.env, SVC_HOME: home, SVC_MODELS_DIR: "", SVC_API_KEY: "" },
        }, (error, stdout) => error ? reject(new Error(`${error.message}\n${stdout}`)) : resolve(stdout))
      );
    };
    const first = start(here);
    try {
      const { url } = JSON.parse(await first.line);
      const walked = await run(here, url, sh("svc world walk w w l l w"));
      assert.match(walked, /^Saved first\.mp4: 5 blocks, 57 frames of 384x256, 3\.6 s at 16 fps$/m);
      id = /\/worlds\/([0-9a-f-]+)\/$/m.exec(walked)![1];
      const further = await run(here, url, sh("svc world walk w s --continue"));
      assert.match(further, /^Saved second\.mp4: 2 blocks, 25 frames/m);
      const repeated = await run(here, url, sh("node replay.mjs"));
      assert.equal(repeated, "rollouts completed\nrollouts completed\nthe same picture, byte for byte\n");
      await run(here, url, sh("svc world export"));
      const [imported, , walk] = sh("svc world import").split("\n");
      await run(there, url, imported);
      const second = start(there);
      try {
        const { url: other } = JSON.parse(await second.line);
        await run(there, other, walk);
        await run(here, url, walk.replace("third.mp4", "here.mp4"));
        // Of the pictures, not of the videos: threads of x264 race for the bits of a frame.
        const [one, another] = await Promise.all(
          [url, other].map(async (server) => {
            const frame = await fetch(`${server}/worlds/${id}/v1/world/session/media/frame`);
            assert.equal(frame.status, 200);
            return Buffer.from(await frame.arrayBuffer());
          }),
        );
        assert.ok(one.equals(another));
      } finally {
        end(second, "SIGTERM");
        await second.exit;
      }
    } finally {
      end(first, "SIGTERM");
      await first.exit;
    }
  }));
