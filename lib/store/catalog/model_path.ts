/**
 * Paths of files within a model's folder.
 *
 * @module
 */

/** Whether an untrusted path names a file below the model's folder on every system: plain names separated by `/`. */
export function isModelPath(path: string): boolean {
  return path.length <= 1024 && path.split("/").every(isPlainName);
}

/**
 * Neither hidden nor special: no `..`, no drive, no stream, no control characters, nothing that Windows would trim.
 */
function isPlainName(name: string): boolean {
  return name !== "" && name.length <= 255 && !/^\.|[. ]$|[\\:*?"<>|\p{Cc}]/u.test(name);
}
