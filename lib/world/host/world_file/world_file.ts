/**
 * Worlds as single files, `.svcw`: the journal, then all pictures, videos and states that it needs.
 *
 * @module
 */
import { readPart } from "../../../platform/files/read_part.ts";
import { crc32 } from "../../../media/images/bytes.ts";
import { isName } from "../../session/journal/shared_json.ts";
import type { ChainNode } from "../../session/journal/chain_node.ts";
import { needed } from "../../session/journal/session_keeper.ts";
import type { SessionImage } from "../../session/journal/session_image.ts";
import type { FoundWorld } from "../../session/journal/read_world.ts";
import { JOURNAL_FOLDER } from "../journal_files.ts";

/** Bytes of a part of a file. */
export const PART: number = 4 * 2 ** 20;

/** What a file of a world begins with. */
export const MAGIC = "svcw world file 1\n";

/** In front of each part: its kind, its length, its checksum. */
const HEADER = 9;

/** `n` names the file that the next parts `d` belong to; `j` is the journal, `e` the end. */
export type PartKind = "j" | "n" | "d" | "e";

/** A part as bytes. */
export function encodePart(kind: PartKind, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + data.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = kind.charCodeAt(0);
  view.setUint32(1, data.length);
  view.setUint32(5, crc32(data));
  bytes.set(data, HEADER);
  return bytes;
}

/**
 * The parts of a file.
 *
 * @param most Bytes of the longest part.
 * @throws {RangeError} when it is not a world, damaged or cut off.
 */
export async function* readParts(
  path: string,
  most: number,
): AsyncGenerator<{ readonly kind: PartKind; readonly data: Uint8Array }> {
  const magic = await readPart(path, 0, MAGIC.length);
  if (new TextDecoder().decode(magic) !== MAGIC) throw new RangeError("it is not a world of this version");
  let at = MAGIC.length;
  while (true) {
    const header = await readPart(path, at, HEADER);
    if (header.length < HEADER) throw new RangeError("it is cut off");
    const view = new DataView(header.buffer, header.byteOffset);
    const [kind, length] = [String.fromCharCode(header[0]), view.getUint32(1)];
    if (!/^[jnde]$/.test(kind) || length > most) throw new RangeError("it is damaged");
    const data = await readPart(path, at + HEADER, length);
    if (data.length < length) throw new RangeError("it is cut off");
    if (crc32(data) !== view.getUint32(5)) throw new RangeError("it is damaged");
    yield { kind: kind as PartKind, data };
    at += HEADER + length;
    if (kind !== "e") continue;
    if ((await readPart(path, at, 1)).length > 0) throw new RangeError("it continues past its end");
    return;
  }
}

/** Keys of fields that name files. */
const PATHS = new Set(["path", "folder", "sourcePath", "framePath", "outputPath", "terminalFramePath"]);

/** All that a value says of files, at any depth; shared objects are looked at once. */
export function pathsOf(value: unknown, seen: Set<object> = new Set()): string[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, field]) => {
    if (typeof field === "string") return PATHS.has(key) ? [field] : [];
    if (key === "chunks" && Array.isArray(field)) {
      return field.flatMap((chunk) => typeof chunk === "string" ? [chunk] : pathsOf(chunk, seen));
    }
    return pathsOf(field, seen);
  });
}

/** The name of a file of a world below its root; undefined for any other file. */
export function nameBelow(root: string, path: string): string | undefined {
  const name = path.startsWith(root) ? path.slice(root.length) : "";
  return isName(name) ? name.replaceAll("\\", "/") : undefined;
}

/** The states that an image needs. */
export function nodesOf({ graph, chain }: SessionImage, { nodes }: FoundWorld): ChainNode[] {
  return needed(graph, chain === undefined ? undefined : nodes.get(chain), (id) => nodes.get(id));
}

/**
 * Names of the files without which a world would not be as its journal says: pictures of the states that it can return
 * to, the frames of moves that it can undo, and the state of the model there. Videos may be gone: they make room for
 * newer ones.
 */
export function requiredFiles({ graph }: SessionImage, nodes: readonly ChainNode[], root: string): Set<string> {
  const retained = new Set(graph.edges.map(({ id }) => id));
  const states = [graph.state, ...graph.checkpoints.map(({ state }) => state)];
  const pictures = states.flatMap(({ frame, edges }) => [
    frame?.path,
    ...edges.filter(({ id }) => retained.has(id)).map(({ source }) => source.frame?.path),
  ]);
  const paths = [
    ...pictures.filter((path) => path !== undefined),
    ...graph.checkpoints.map(({ framePath }) => framePath),
    ...graph.edges.flatMap(({ edge }) => edge.frames.map(({ path }) => path)),
  ];
  return new Set([...paths.flatMap((path) => nameBelow(root, path) ?? []), ...nodes.flatMap(stateFile)]);
}

/** Names of all files that a world has, those of its states included. */
export function filesOf(image: SessionImage, nodes: readonly ChainNode[], root: string): Set<string> {
  const named = pathsOf(image).flatMap((path) => nameBelow(root, path) ?? []);
  return new Set([...named, ...nodes.flatMap(stateFile)]);
}

function stateFile({ file }: ChainNode): string[] {
  return file ? [`${JOURNAL_FOLDER}/${file.name}`] : [];
}
