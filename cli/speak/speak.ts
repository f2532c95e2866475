import { systemPlayer } from "./system_player.ts";
import { runProcess } from "../../lib/platform/processes/run_process.ts";
import { readPipe } from "../../lib/platform/terminal/terminal.ts";
import { wholeWav } from "../../lib/media/audio/encoding/pcm_encoder.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { findLaneServer, type LaneHost, laneHost } from "../model_api/find_lane_server.ts";
import { checkOutputFile } from "../output_file.ts";
import { fetchSpeech, speechProgress } from "./fetch_speech.ts";
import { readSpeakCommand, SPEAK_HELP } from "./speak_options.ts";

/** `svc speak`: speaks a text. */
export function speak(args: readonly string[]): Promise<number> {
  return runSpeakCommand(args, {
    ...laneHost("speak"),
    readInput: readPipe,
    player: () => systemPlayer(runProcess),
  });
}

/** The command's environment; tests can replace all of it. */
interface SpeakHost extends LaneHost {
  /** Reads all piped input; undefined when there is no pipe. */
  readonly readInput: () => Promise<string | undefined>;
  /** Plays a WAV file, and returns the name of the player; throws before anything is spoken when there is none. */
  readonly player: () => Promise<{ readonly name: string; play(wav: Uint8Array): Promise<void> }>;
}

/** Runs `svc speak` and returns its exit status. */
async function runSpeakCommand(args: readonly string[], host: SpeakHost): Promise<number> {
  const { terminal, signal } = host;
  const command = readSpeakCommand(args, terminal.environment("SVC_API_KEY"));
  if (!command) {
    terminal.out(SPEAK_HELP);
    return 0;
  }
  const text = command.text ?? await host.readInput();
  if (text === undefined || text.trim() === "") {
    throw new UsageError("Cannot run svc speak: no text given, pass it in quotes or through a pipe");
  }
  const { output, format, voice, instructions, speed, json } = command;
  if (output !== undefined) await checkOutputFile(output, command.force, host.obstacle);
  const player = output === undefined ? await host.player() : undefined;
  const server = await findLaneServer("speech", command, host);
  const bar = speechProgress(terminal.interactive);
  try {
    const { model, client } = server;
    const request = { model, input: text, voice, instructions, speed, response_format: format };
    const { bytes, warnings } = await fetchSpeech(client, request, bar.show, signal);
    bar.stop();
    if (warnings !== undefined) terminal.err(`svc: ${warnings}`);
    const sound = format === "wav" ? wholeWav(bytes) : bytes;
    if (output !== undefined) await host.write(output, sound);
    else await player?.play(sound);
    if (json) terminal.out(JSON.stringify({ output, player: player?.name, format, bytes: sound.length, model }));
    else if (output !== undefined) terminal.err(`Wrote ${output} (${Math.ceil(sound.length / 1024)} KiB)`);
    return 0;
  } finally {
    bar.stop();
    await server.close();
  }
}
