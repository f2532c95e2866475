/**
 * The application directory.
 *
 * @module
 */
import { join, resolve } from "node:path";
import process from "node:process";
import { UsageError } from "../terminal/flags.ts";
import { homedir } from "node:os";

/** What the result depends on. */
export interface AppPlatform {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As `process.platform`. */
  readonly platform: string;
  /** The home folder of the user; undefined where there is none. */
  readonly home: string | undefined;
}

/** This process. */
export function thisPlatform(): AppPlatform {
  return { env: process.env, platform: process.platform, home: homeDirectory() };
}

/**
 * The folder of state and models: `SVC_HOME`, else the platform's application-support folder. It need not exist.
 *
 * @throws {UsageError} when neither is known: the user has no home folder.
 */
export function appDirectory(platform: AppPlatform = thisPlatform()): string {
  const folder = findAppDirectory(platform);
  if (folder !== undefined) return folder;
  throw new UsageError(
    "Cannot find the folder of state and models: this user has no home folder, expected the variable SVC_HOME with a " +
      "folder that it may write to",
  );
}

/** As {@linkcode appDirectory}; undefined where neither is known. */
export function findAppDirectory({ env, platform, home }: AppPlatform = thisPlatform()): string | undefined {
  if (env["SVC_HOME"]) return resolve(env["SVC_HOME"]);
  if (platform === "win32" && env["LOCALAPPDATA"]) return join(env["LOCALAPPDATA"], "svc");
  if (platform !== "win32" && platform !== "darwin" && env["XDG_DATA_HOME"]) return join(env["XDG_DATA_HOME"], "svc");
  if (home === undefined) return undefined;
  if (platform === "darwin") return join(home, "Library", "Application Support", "svc");
  if (platform === "win32") return join(home, "AppData", "Local", "svc");
  return join(home, ".local", "share", "svc");
}

/** Absolute path of the folder of a world session's files: the given one, else the default one. */
export function sessionDirectory(given: string | undefined, platform: AppPlatform = thisPlatform()): string {
  return resolve(given ?? join(appDirectory(platform), "world-sessions", "default"));
}

/**
 * The user's home folder; undefined where there is none: the variable `HOME` is not set and the system has no entry for
 * the user, as in a container that runs under an unknown user id.
 */
export function homeDirectory(lookUp: () => string | null | undefined = homedir): string | undefined {
  try {
    return lookUp() || undefined; // Deno answers with null
  } catch {
    return undefined; // Node throws, with the system's ENOENT
  }
}

/**
 * Names a home folder for libraries that fail where there is none; nothing changes for a user who has one.
 *
 * @param folder Undefined changes nothing.
 */
export function lendHome(folder: string | undefined): void {
  if (folder !== undefined && homeDirectory() === undefined) process.env.HOME = folder;
}
