/**
 * The application directory.
 *
 * @module
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";

/** What the result depends on. */
export interface AppPlatform {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As `process.platform`. */
  readonly platform: string;
  readonly home: string;
}

/** This process. */
export function thisPlatform(): AppPlatform {
  return { env: process.env, platform: process.platform, home: homedir() };
}

/** The folder of state and models: `SVC_HOME`, else the platform's application-support folder. It need not exist. */
export function appDirectory({ env, platform, home }: AppPlatform = thisPlatform()): string {
  if (env["SVC_HOME"]) return resolve(env["SVC_HOME"]);
  if (platform === "darwin") return join(home, "Library", "Application Support", "svc");
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), "svc");
  return join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "svc");
}

/** Absolute path of the folder of a world session's files: the given one, else the default one. */
export function sessionDirectory(given: string | undefined, platform: AppPlatform = thisPlatform()): string {
  return resolve(given ?? join(appDirectory(platform), "world-sessions", "default"));
}
