import { readUserFile } from "../../lib/platform/files/user_files.ts";
import { basename } from "../../lib/platform/files/paths.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { findLaneServer, type LaneHost, laneHost } from "../model_api/find_lane_server.ts";
import { checkOutputFile } from "../output_file.ts";
import { readTranscribeCommand, TRANSCRIBE_HELP } from "./transcribe_options.ts";
import { watchProgress } from "../model_api/watch_progress.ts";

/** `svc transcribe`: writes down a recording. */
export function transcribe(args: readonly string[]): Promise<number> {
  return runTranscribeCommand(args, { ...laneHost("transcribe"), read: readUserFile });
}

/** The command's environment; tests can replace all of it. */
interface TranscribeHost extends LaneHost {
  /** A file's bytes; undefined when it does not exist. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

/** Runs `svc transcribe` and returns its exit status. */
async function runTranscribeCommand(args: readonly string[], host: TranscribeHost): Promise<number> {
  const { terminal, signal } = host;
  const command = readTranscribeCommand(args, terminal.environment("SVC_API_KEY"));
  if (!command) {
    terminal.out(TRANSCRIBE_HELP);
    return 0;
  }
  const { file, format, output, language, translate, words, prompt } = command;
  if (output !== undefined) await checkOutputFile(output, command.force, host.obstacle);
  const sound = await host.read(file);
  if (sound === undefined) throw new UsageError(`Cannot transcribe ${file}: the file does not exist`);
  const server = await findLaneServer("transcription", command, host);
  const { client, model } = server;
  const stopWatching = watchProgress(client, "Transcribing", model, terminal.interactive);
  try {
    const form = new FormData();
    const fields = {
      model,
      response_format: format,
      language,
      prompt,
      ...translate && { task: "translate" },
    };
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
    for (const one of words ? ["segment", "word"] : []) form.append("timestamp_granularities[]", one);
    form.append("file", new Blob([new Uint8Array(sound)]), basename(file));
    const response = await client.postForm("/v1/audio/transcriptions", form, signal);
    const text = await response.text();
    stopWatching();
    const warnings = response.headers.get("x-svc-warning");
    if (warnings !== null) terminal.err(`svc: ${warnings}`);
    if (output === undefined) {
      terminal.out(text.trimEnd());
      return 0;
    }
    await host.write(output, new TextEncoder().encode(text.endsWith("\n") ? text : `${text}\n`));
    terminal.err(`Wrote ${output}`);
    return 0;
  } finally {
    stopWatching();
    await server.close();
  }
}
