import { openModelStore } from "../../lib/store/model_store.ts";
import { withImageModel } from "../../lib/app/models/embedded_models.ts";
import { readUserFile } from "../../lib/platform/files/user_files.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { watchProgress } from "../model_api/watch_progress.ts";
import { findLaneServer, type LaneHost, laneHost } from "../model_api/find_lane_server.ts";
import { checkOutputFile } from "../output_file.ts";
import { fetchImage } from "./fetch_image.ts";
import { IMAGE_HELP, readImageCommand } from "./image_options.ts";

/** `svc image`: makes or edits an image. */
export function image(args: readonly string[]): Promise<number> {
  return runImageCommand(args, {
    ...laneHost("image"),
    installed: () => withImageModel(openModelStore()),
    read: readUserFile,
  });
}

/** Previews of an image: more steps than any model takes by default. */
const PREVIEWS = 100;

/** The command's environment; tests can replace all of it. */
export interface ImageHost extends LaneHost {
  /** Undefined when there is no such file. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

/** Runs `svc image` and returns its exit status. */
export async function runImageCommand(args: readonly string[], host: ImageHost): Promise<number> {
  const { terminal, signal } = host;
  const command = readImageCommand(args, terminal.environment("SVC_API_KEY"));
  if (!command) {
    terminal.out(IMAGE_HELP);
    return 0;
  }
  const { output, fields, preview, json } = command;
  await checkOutputFile(output, command.force, host.obstacle);
  const edit = command.edit === undefined ? undefined : await readPicture(command.edit, host);
  const server = await findLaneServer("image", command, host);
  try {
    const { model, client } = server;
    const onPreview = async (png: Uint8Array): Promise<void> => {
      if (preview) await host.write(output, png);
    };
    const question = { fields, model, edit, previews: preview ? PREVIEWS : 0, onPreview };
    const stopWatching = watchProgress(client, "Making the image", model, terminal.interactive);
    const { png, seed, warnings } = await fetchImage(client, question, signal).finally(stopWatching);
    if (warnings !== undefined) terminal.err(`svc: ${warnings}`);
    await host.write(output, png);
    if (json) terminal.out(JSON.stringify({ output, seed, model, bytes: png.length }));
    else terminal.err(`Wrote ${output} (${Math.ceil(png.length / 1024)} KiB); --seed ${seed} makes it again`);
    return 0;
  } finally {
    await server.close();
  }
}

async function readPicture(path: string, { read }: ImageHost): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await read(path);
  if (bytes) return new Uint8Array(bytes);
  throw new UsageError(`Cannot edit ${path}: the file does not exist, expected an image such as a PNG or JPEG`);
}
