/**
 * The walk as a command and as a program that make it again.
 *
 * @module
 */
import { cameraOfKeys, inverseCamera, MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import { OPPOSITE_KEYS } from "../../lib/world/protocol/motion_table.ts";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";
import type { RolloutRequestBody, TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";

type Request = TransitionRequestBody | RolloutRequestBody;

/** What makes a walk again; undefined where it cannot be said that way. */
export interface WalkScript {
  /** A line for a shell. */
  readonly command?: string;
  /** A TypeScript program. */
  readonly program?: string;
}

/** The module that the program reads and writes files with; this page itself uses none of the kind. */
const FILES = ["node", "fs/promises"].join(":");

/** Every combination of keys without opposite ones; a dot holds still. */
const WORDS = OPPOSITE_KEYS.reduce(
  (words, pair) => words.flatMap((word) => [word, ...pair.map((key) => word + key)]),
  [""],
);

/** How a clone of the repository runs `svc`; where it is installed, that is its name. */
export const SVC = "npm start --silent --";

/** Most actions of a command. */
const MAX_WORDS = 84;

/**
 * How to make the active path again, picture by picture.
 *
 * @param path Ids of the active path.
 * @param server Address of the server.
 */
export function walkScript(walk: WalkRecord, path: readonly string[], server: string): WalkScript {
  const { sourcePath: source } = walk;
  const moves = path.slice(1).map((id) => walk.states.find(({ stateId }) => stateId === id)?.move?.request);
  if (source === undefined || moves.length === 0 || moves.includes(undefined)) return {};
  const requests = moves as readonly Request[];
  const command = commandOf(requests, source, server);
  return { program: programOf(requests, source, server), ...(command !== undefined && { command }) };
}

function commandOf(requests: readonly Request[], source: string, server: string): string | undefined {
  const [first] = requests;
  if (!isTransition(first)) return undefined;
  const words: string[] = [];
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1];
    if (!isTransition(request) || (before && isTransition(before) && undoes(before.camera, request.camera))) {
      return undefined; // the server would replay a move backwards
    }
    const word = wordOf(request.camera);
    if (word === undefined || !sameBut(first, request)) return undefined;
    words.push(word === "" ? "." : word);
  }
  // A setting that has no flag.
  if (["steps", "guidanceScale", "shift", "modelSpaceActions"].some((name) => !isDefault(first, name))) {
    return undefined;
  }
  const { prompt, seed, numFrames, fps, width = 0, height = 0 } = first;
  if (words.length > MAX_WORDS || width % 32 !== 0 || height % 32 !== 0 || height > 704) return undefined;
  return [
    `${SVC} world walk ${words.join(" ")} --moves --frames ${numFrames}`,
    `--source ${quoted(source)}`,
    // A value that begins with a dash would be another flag.
    `--prompt${prompt.startsWith("-") ? "=" : " "}${quoted(prompt)}`,
    `--seed ${seed} --fps ${fps} --width ${width} --height ${height}`,
    `--url ${server}`,
  ].join(" \\\n  ");
}

/** Whether all but the camera is the same. */
function sameBut(
  { camera: _a, ...one }: TransitionRequestBody,
  { camera: _b, ...other }: TransitionRequestBody,
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The value that a request without the field has. */
const DEFAULTS: Readonly<Record<string, unknown>> = { guidanceScale: 1, shift: 3 };

function isDefault(request: TransitionRequestBody, name: string): boolean {
  const value = (request as unknown as Readonly<Record<string, unknown>>)[name];
  return value === undefined || value === DEFAULTS[name];
}

function undoes(before: CameraRecord, camera: CameraRecord): boolean {
  const inverse = inverseCamera(before);
  return inverse !== undefined && isSame(inverse, camera);
}

function wordOf(camera: CameraRecord): string | undefined {
  return WORDS.find((keys) => isSame(cameraOfKeys(keys, MOVE_SIZE), camera));
}

function isSame(one: CameraRecord, other: CameraRecord): boolean {
  const numbers = (camera: CameraRecord): string =>
    JSON.stringify([camera.motion, camera.translationMeters, camera.rotationDegrees]);
  return numbers(one) === numbers(other);
}

function programOf(requests: readonly Request[], source: string, server: string): string {
  const lines = requests.map((request) => {
    const start = isTransition(request) ? "startTransition" : "startRollout";
    return `await made(client.${start}(${JSON.stringify(request)}));`;
  });
  return [
    `import { readFile, writeFile } from "${FILES}";`,
    `import { type JobRecord, WorldClient } from "@svc/sdk/client";`,
    ``,
    `const client = new WorldClient(${JSON.stringify(server)}); // a second argument names the key: { apiKey }`,
    `const made = async (job: Promise<JobRecord>) => await client.awaitJob((await job).jobId);`,
    `await client.uploadSource(await readFile(${JSON.stringify(source)}));`,
    ...lines,
    `await writeFile("walk.mp4", await client.media("/v1/world/session/walk/media/output"));`,
    ``,
  ].join("\n");
}

function isTransition(request: Request): request is TransitionRequestBody {
  return "camera" in request;
}

/** A word for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
