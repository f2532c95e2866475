import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { KEY_MOTIONS, motionKeys } from "../../lib/world/protocol/motion_table.ts";
import { parseWalkActions } from "../../lib/world/protocol/walk_actions.ts";
import type { WalkRequest } from "./walk_request.ts";

/** The parsed command line of `svc world walk`. */
export interface WalkCommand {
  readonly help: boolean;
  readonly json: boolean;
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  /** Whether the walk of another world may be discarded without asking. */
  readonly replace: boolean;
  /** Absent when only the help is requested. */
  readonly request?: WalkRequest;
}

const COMMAND = "svc world walk";

const FLAGS = {
  source: { kind: "string", value: "FILE", help: "image to start from (default: made from the prompt, else embedded)" },
  output: { kind: "string", short: "o", value: "FILE.mp4", help: "path of the video", default: "walk.mp4" },
  prompt: {
    kind: "string",
    value: "TEXT",
    help: "what the place looks like; without --source the start is made from it",
  },
  seed: { kind: "string", value: "N", help: "the same seed gives the same walk (default 42)" },
  speed: { kind: "string", value: "X", help: "pace; at 1, 0.05 units and 1 degree per frame (default 1.5)" },
  fps: { kind: "integer", value: "N", min: 1, max: 240, help: "frame rate of the video" },
  width: { kind: "integer", value: "N", min: 32, max: 1280, help: "multiple of 32; the world's own size when omitted" },
  height: { kind: "integer", value: "N", min: 32, max: 704, help: "multiple of 32; the world's own size when omitted" },
  moves: { kind: "boolean", help: "make each action a camera move of its own, as the page does" },
  frames: { kind: "integer", value: "N", min: 1, max: 1005, help: "frames of each of the --moves (default 17)" },
  continue: { kind: "boolean", help: "continue where the last walk on the server ended" },
  replace: {
    kind: "boolean",
    help: "discard another walk where the server allows no world of its own, without asking",
  },
  force: { kind: "boolean", help: "replace existing files" },
  url: {
    kind: "string",
    value: "URL",
    help: "world server, or a world's page (default: a server here, else a new one)",
  },
  "api-key": { kind: "string", value: "KEY", help: "the server's key (default: SVC_API_KEY)" },
  json: { kind: "boolean", help: "print one line of JSON for each event" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** What `svc world walk --help` prints. */
export const WALK_HELP: string = `Walk through a generated world and save a video and a contact sheet

Usage: ${COMMAND} ACTION... [options]

Each ACTION is one block of the walk, 12 frames long (the first one 9): any combination of
${keysHelp()}
such as w or wl; a dot stands still; w3 (or w*3) is the same as w w w. At most 84 blocks.

Beside a running server the walk opens a world of its own there, named "svc world walk", which the next walk
starts again; the worlds of the page stay as they are.

Options:
${flagsHelp(FLAGS)}

Examples:
  ${COMMAND} w w l l s
  ${COMMAND} w3 wl2 . s --source examples/corridor.png -o walk.mp4
  ${COMMAND} w w j --moves --frames 9
  ${COMMAND} w w l --prompt "a yellow corridor with purple doors, bright"
  ${COMMAND} w w --continue -o further.mp4      (while svc world serve runs)`;

/** The keys and what they do, four a line. */
function keysHelp(): string {
  const cells = motionKeys(true).map((key) => `  ${key}  ${KEY_MOTIONS.get(key)!.label.toLowerCase()}`.padEnd(18));
  return Array.from(
    { length: Math.ceil(cells.length / 4) },
    (_, i) => cells.slice(4 * i, 4 * i + 4).join("").trimEnd(),
  ).join("\n");
}

/**
 * Parses the arguments of `svc world walk`.
 *
 * @param environmentKey The key from the environment; `--api-key` wins over it.
 * @throws {UsageError} when they are invalid
 */
export function readWalkCommand(
  args: readonly string[],
  environmentKey?: string,
): WalkCommand {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  const { json, url } = flags;
  const apiKey = flags["api-key"]?.trim() || environmentKey;
  const { replace } = flags;
  if (flags.help) return { help: true, json, url, apiKey, replace };
  if (url !== undefined && !/^https?:\/\//.test(url)) {
    throw wrong("--url", url, "an address such as http://127.0.0.1:8791");
  }
  if (!/.\.mp4$/i.test(flags.output)) throw wrong("--output", flags.output, "a file name that ends in .mp4");
  if (flags.continue && replace) {
    throw new UsageError(`Cannot run ${COMMAND}: --continue and --replace exclude each other, omit one of them`);
  }
  if (flags.continue && flags.source !== undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: --continue and --source exclude each other, omit one of them`);
  }
  const { moves, frames } = flags;
  if (moves && flags.continue) {
    throw new UsageError(`Cannot run ${COMMAND}: --moves and --continue exclude each other, omit one of them`);
  }
  if (moves && flags.speed !== undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: --moves have no --speed, omit one of them`);
  }
  if (!moves && frames !== undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: --frames is the length of --moves, add --moves or omit it`);
  }
  const request: WalkRequest = {
    walk: readActions(words),
    ...(moves && { moves: frames === undefined ? {} : { numFrames: frames } }),
    continued: flags.continue,
    source: flags.source,
    prompt: flags.prompt,
    output: flags.output,
    force: flags.force,
    rollout: {
      ...(flags.seed !== undefined && { seed: readSeed(flags.seed) }),
      ...(flags.speed !== undefined && { speed: readSpeed(flags.speed) }),
      ...(flags.fps !== undefined && { fps: flags.fps }),
      ...(flags.width !== undefined && { width: readSide("--width", flags.width) }),
      ...(flags.height !== undefined && { height: readSide("--height", flags.height) }),
    },
  };
  return { help: false, json, url, apiKey, replace, request };
}

function readActions(words: readonly string[]): WalkRequest["walk"] {
  try {
    return parseWalkActions(words);
  } catch (error) {
    if (error instanceof SvcError) throw new UsageError(`${error.message} (see ${COMMAND} --help)`);
    throw error;
  }
}

function readSeed(text: string): string {
  if (/^\d{1,20}$/.test(text) && BigInt(text) < 1n << 64n) return text;
  throw wrong("--seed", text, "a whole number from 0 to 2^64-1");
}

function readSpeed(text: string): number {
  const speed = Number(text);
  if (text.trim() !== "" && Number.isFinite(speed) && speed > 0) return speed;
  throw wrong("--speed", text, "a number above 0");
}

function readSide(name: string, pixels: number): number {
  if (pixels % 32 === 0) return pixels;
  throw wrong(name, String(pixels), "a multiple of 32");
}

function wrong(name: string, value: string, expected: string): UsageError {
  return new UsageError(`Cannot run ${COMMAND}: ${name} is ${JSON.stringify(value)}, expected ${expected}`);
}
