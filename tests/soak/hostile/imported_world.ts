/**
 * A world of somebody else whose state takes many minutes to make again: its journal is small, and what it asks of the
 * model is all that a request may ask.
 *
 * @module
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { forgeClipWorld, FORGED_WORLD } from "../../support/forged_world.ts";
import { startServer } from "../../support/server_process.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { attack, type AttackResult } from "./attack.ts";
import { beginWorld, endWell, shortMove } from "./moves.ts";
import { command, worldFileAttacks } from "./stranger_files.ts";

const CLIP = { frames: 1005, steps: 1000, seconds: 300, width: 192, height: 128 };

/** Moves of the default world while the state of the other is made again. */
const MOVES = 3;

/** Gigabytes that the server may have. */
const GIGABYTES = 3;

/** Resolves when the model of the imported world makes something. */
async function atWork(url: string): Promise<void> {
  const session = `${url}/worlds/${FORGED_WORLD}/v1/world/session`;
  while ((await (await fetch(session)).json()).phase !== "ready") {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Imports such a world, and tries what its owner and others may do to its server. */
export async function importedWorldAttacks(
  chosen: (name: string) => boolean,
  onResult: (result: AttackResult) => void,
): Promise<boolean> {
  let isFine = true;
  await withFolder(async (home) => {
    const [mine, state, file] = [join(home, "mine"), join(home, "state"), join(home, "world.svcw")];
    mkdirSync(state, { mode: 0o700 });
    await forgeClipWorld(mine, CLIP);
    await command(home, ["world", "export", FORGED_WORLD, file, "--state-directory", mine], [0]);
    await command(home, ["world", "import", file, "--state-directory", state], [0]);
    const server = startServer(
      [
        ...["--backend=actionworld", "--port=0", "--json", "--device=cpu", `--memory-limit-gb=${GIGABYTES}`],
        `--state-directory=${state}`,
      ],
      { SVC_HOME: home },
    );
    try {
      const { url } = JSON.parse(await server.line) as { url: string };
      await beginWorld({ url });
      await shortMove({ url });
      const imported = `${url}/worlds/${FORGED_WORLD}/v1/world/session`;
      const prepare = (signal?: AbortSignal) =>
        fetch(`${imported}/prepare`, { method: "POST", ...(signal && { signal }) }).then(
          async (answer) => `${answer.status} ${(await answer.json()).error?.code ?? ""}`,
          () => "left",
        );
      let moves = 0;
      let begun = 0;
      const beside = async (): Promise<number> => {
        const took = await shortMove({ url });
        begun = Math.max(begun, took);
        moves++;
        return took;
      };
      const attacks = [{
        name: "a state of 1,005 frames in 1,000 steps, whose client disconnects",
        run: async () => {
          const leaving = new AbortController();
          const waiting = prepare(leaving.signal);
          await atWork(url);
          [moves, begun] = [0, 0];
          while (moves < MOVES) await beside();
          leaving.abort();
          await waiting;
          const begin = performance.now();
          while ((await fetch(`${imported}/reset`, { method: "POST" })).status === 409) {
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          const free = performance.now() - begin;
          if (begun > 5000 * Number(process.env["SVC_CROWDED"] || 1)) throw new Error(`a move began after ${begun} ms`);
          return `${moves} moves beside it, begun after ${begun.toFixed(0)} ms at most; free after ${
            free.toFixed(0)
          } ms`;
        },
      }, ...worldFileAttacks(home)];
      const legal = async () => void await shortMove({ url });
      const watched = { legal, beside, pid: server.child.pid, megabytes: 1024 * GIGABYTES };
      isFine = await attack(url, attacks.filter(({ name }) => chosen(name)), watched, onResult);
    } finally {
      await endWell(server).catch((error) => {
        isFine = false;
        onResult({ name: "its end", answer: String(error), milliseconds: 0, health: 0, isFine });
      });
    }
    isFine = await endings(mine, home, onResult) && isFine;
  });
  return isFine;
}

/** `DELETE` of the world, and the end of its server, while its state is made again. */
async function endings(state: string, home: string, onResult: (result: AttackResult) => void): Promise<boolean> {
  const args = ["--backend=actionworld", "--port=0", "--json", "--device=cpu", `--state-directory=${state}`];
  const attempts = {
    "DELETE of a world that is made again": async (url: string) => {
      const { status } = await fetch(`${url}/v1/worlds/${FORGED_WORLD}`, { method: "DELETE" });
      if (status !== 200) throw new Error(`DELETE was answered ${status}`);
    },
    "SIGTERM while a world is made again": () => Promise.resolve(),
  };
  let isFine = true;
  for (const [name, act] of Object.entries(attempts)) {
    await forgeClipWorld(state, CLIP);
    const server = startServer(args, { SVC_HOME: home });
    let answer = "";
    let isOver = true;
    const { url } = JSON.parse(await server.line) as { url: string };
    const waiting = fetch(`${url}/worlds/${FORGED_WORLD}/v1/world/session/prepare`, { method: "POST" }).catch(() => {});
    await atWork(url);
    const begin = performance.now();
    try {
      await act(url);
      answer = `${(performance.now() - begin).toFixed(0)} ms`;
    } catch (error) {
      [answer, isOver] = [String(error), false];
    }
    await endWell(server).catch((error) => [answer, isOver] = [String(error), false]);
    await waiting;
    onResult({ name, answer, milliseconds: performance.now() - begin, health: 0, isFine: isOver });
    isFine &&= isOver;
  }
  return isFine;
}
