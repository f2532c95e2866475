/**
 * The program that plays sound on this machine.
 *
 * @module
 */
import { writeFile } from "../../lib/platform/files/file_system.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { makeWorkFolder } from "../../lib/platform/files/work_folder.ts";
import type { RunProcess } from "../../lib/platform/processes/run_process.ts";

/** A player. */
export interface Player {
  readonly name: string;
  /** Plays a WAV file to its end. */
  play(wav: Uint8Array): Promise<void>;
}

/** Programs with the arguments before the file, and how to ask whether they are there. */
const programs: readonly (readonly [string, readonly string[], string])[] = [
  ["afplay", [], "--help"], // macOS
  ["pw-play", [], "--version"],
  ["paplay", [], "--version"],
  ["aplay", ["-q"], "--version"],
  ["ffplay", ["-nodisp", "-autoexit", "-loglevel", "error"], "-version"],
  ["mpv", ["--no-video", "--really-quiet"], "--version"],
  ["play", ["-q"], "--version"],
  ["powershell", ["-NoProfile", "-Command", "(New-Object Media.SoundPlayer $args[0]).PlaySync()"], "-?"],
];

/**
 * The first player that is on PATH.
 *
 * @throws {Error} when there is none.
 */
export async function systemPlayer(runProcess: RunProcess): Promise<Player> {
  for (const [name, args, probe] of programs) {
    const there = await runProcess(name, [probe], new Uint8Array()).then(() => true, () => false);
    if (there) return { name, play: (wav) => play(name, args, wav, runProcess) };
  }
  const names = programs.map(([name]) => name).join(", ");
  throw new Error(`Cannot play the speech: no player is on PATH (${names}), install one or write a file with -o`);
}

async function play(name: string, args: readonly string[], wav: Uint8Array, runProcess: RunProcess): Promise<void> {
  const folder = await makeWorkFolder();
  try {
    const file = join(folder.path, "speech.wav");
    await writeFile(file, wav, { mode: 0o600 });
    const { code, stderr } = await runProcess(name, [...args, file], new Uint8Array());
    if (code !== 0) throw new Error(`Cannot play the speech: ${name} ended with status ${code} (${stderr.trim()})`);
  } finally {
    await folder.remove();
  }
}
