/**
 * Which builds of llama.cpp have worked on this machine: node-llama-cpp tests a build in a process of its own before it
 * loads it, which takes half a second and longer than the load.
 *
 * @module
 */
import { findAppDirectory } from "../../platform/files/app_directory.ts";
import { replaceFile } from "../../platform/files/atomic_write.ts";
import { mkdir, readdir, readFile, unlink } from "../../platform/files/file_system.ts";
import { dirname, join } from "../../platform/files/paths.ts";
import { fileMark, machineFacts } from "../../platform/machine/machine_facts.ts";

/** A build of llama.cpp: the path of its addon, and the GPU that it is for. */
export interface TestedBuild {
  readonly path: string;
  /** False for the CPU. */
  readonly gpu: unknown;
}

/** What is known of builds. */
export interface KeptTests {
  /**
   * Whether a build has worked here, and nothing that it depends on has changed since. What is known is taken away: only
   * {@linkcode KeptTests.worked} puts it back, so that a load that ends the process is followed by a test, and so is
   * one at the same time.
   */
  take(build: TestedBuild): Promise<boolean>;
  /** Keeps that a build has passed its test, or was taken, and has loaded a model after it. */
  worked(build: TestedBuild): Promise<void>;
}

/** Every build is tested each time. */
const NOTHING_KEPT: KeptTests = { take: () => Promise.resolve(false), worked: () => Promise.resolve() };

/**
 * Keeps it in a folder. Builds for GPUs are not kept: a GPU or its driver fails without any file having changed.
 *
 * @param facts What all builds depend on; undefined where this is not known, and nothing is kept.
 */
export function keptTests(
  folder: string | undefined = testsFolder(),
  facts: () => readonly string[] | undefined = machineFacts,
): KeptTests {
  if (folder === undefined) return NOTHING_KEPT;
  // A whole text, not a hash of it: to load what hashes takes longer than to read it.
  const note = async ({ path, gpu }: TestedBuild): Promise<{ file: string; text: string } | undefined> => {
    const known = facts();
    if (gpu !== false || known === undefined) return undefined;
    const home = dirname(path);
    const files = (await readdir(home)).sort().map((name) => `${name} ${fileMark(join(home, name))}`);
    return { file: join(folder, `llama-cpp-${nameOf(path)}.json`), text: JSON.stringify([path, ...known, ...files]) };
  };
  return {
    async take(build) {
      try {
        const now = await note(build);
        if (now === undefined || (await readFile(now.file, "utf8")) !== now.text) return false;
        await unlink(now.file); // fails where it cannot be written, and where another process has just taken it
        return true;
      } catch {
        return false;
      }
    },
    async worked(build) {
      try {
        const now = await note(build);
        if (now === undefined) return;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await replaceFile(now.file, new TextEncoder().encode(now.text), 0o600);
      } catch {
        // A folder that cannot be written: it is tested again.
      }
    },
  };
}

function testsFolder(): string | undefined {
  const folder = findAppDirectory();
  return folder === undefined ? undefined : join(folder, "tested");
}

/** A short name for a path; of two with the same name, the one that was last kept is known. */
function nameOf(path: string): string {
  let hash = 0;
  for (let at = 0; at < path.length; at++) hash = Math.imul(hash, 31) + path.charCodeAt(at) | 0;
  return (hash >>> 0).toString(16);
}
