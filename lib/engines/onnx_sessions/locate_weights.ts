/**
 * Where ONNX Runtime finds the weights of a graph that it gets as bytes.
 *
 * @module
 */
import { protoText, ProtoWriter, readProto } from "../../compute/onnx/proto.ts";
import { realpath } from "../../platform/files/file_system.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import type { OnnxFile } from "./onnx_file.ts";

/** A graph, and the folder that the places of its weights are relative to. */
interface LocatedFile {
  readonly file: OnnxFile;
  readonly folder: string;
}

/**
 * ONNX Runtime follows links first and then reads nothing outside the folder. So where the files of weights are links,
 * as in the cache of the hub, the folder is the one that has what they lead to, and the graph names it from there.
 *
 * @param name The file of the graph.
 */
export async function locateWeights(file: OnnxFile, files: ModelFiles, name: string): Promise<LocatedFile> {
  const place = name.slice(0, name.lastIndexOf("/") + 1);
  const folder = files.path(name).replace(/[\\/][^\\/]*$/, "");
  const locations = new Set([...file.weights.values()].flatMap(locationsOf));
  const real = new Map<string, readonly string[]>();
  for (const location of locations) {
    const path = files.path(place + location);
    // The reader reports a missing file.
    real.set(location, (await realpath(path).catch(() => path)).split(/[\\/]/));
  }
  const home = await realpath(folder).catch(() => folder);
  if ([...real].every(([location, parts]) => parts.join("/") === `${home.replaceAll("\\", "/")}/${location}`)) {
    return { file, folder };
  }
  const paths = [...real.values()];
  let common = 0;
  const together = (at: number): boolean => paths.every((parts) => at < parts.length - 1 && parts[at] === paths[0][at]);
  while (together(common)) common++;
  const shared = paths[0].slice(0, common).join("/");
  const moved = (location: string): string => (real.get(location) ?? []).slice(common).join("/");
  const weights = new Map([...file.weights].map(([key, message]) => [key, withLocation(message, moved)]));
  return { file: { ...file, weights }, folder: shared === "" ? "/" : shared };
}

/** Fields of `TensorProto` and of its entries. */
const EXTERNAL_DATA = 13;
const KEY = 1;
const VALUE = 2;

function locationsOf(message: Uint8Array): string[] {
  return [...readProto(message)].flatMap((field) => {
    const location = field.field === EXTERNAL_DATA ? locationIn(field.bytes) : undefined;
    return location === undefined ? [] : [location];
  });
}

function locationIn(entry: Uint8Array): string | undefined {
  const fields = [...readProto(entry)];
  const text = (number: number): string | undefined => {
    const found = fields.find(({ field }) => field === number);
    return found && protoText(found);
  };
  return text(KEY) === "location" ? text(VALUE) : undefined;
}

function withLocation(message: Uint8Array, moved: (location: string) => string): Uint8Array {
  if (locationsOf(message).length === 0) return message;
  const writer = new ProtoWriter();
  for (const { field, bytes, whole } of readProto(message)) {
    const location = field === EXTERNAL_DATA ? locationIn(bytes) : undefined;
    if (location === undefined) writer.fields(whole);
    else writer.message(field, new ProtoWriter().string(KEY, "location").string(VALUE, moved(location)));
  }
  return writer.finish();
}
