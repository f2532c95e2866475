/** Python with the packages that tests of our servers need. */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

/**
 * The interpreter of a virtual environment that has the packages of a `requirements.txt`; made once, below
 * node_modules/.cache.
 *
 * @param {string} name
 * @param {number} minor the packages need Python 3 of this minor version or a later one
 * @param {object} [options]
 * @param {number} [options.last] and no later minor version than this
 * @param {string} [options.file] the requirements, by default those of `tests/clients/<name>`
 * @param {boolean} [options.required] whether pip has to reach its index: it ends this process where it does not
 * @returns {{ ok: true, python: string } | { ok: false, reason: string }} `ok` is false without Python 3 and pip, and
 * where packages are not required and cannot be installed.
 */
export function pythonVenv(name, minor, { last = Infinity, file, required = true } = {}) {
  const requirements = fileURLToPath(new URL(file ?? `tests/clients/${name}/requirements.txt`, root));
  const folder = fileURLToPath(new URL(`node_modules/.cache/${name}/`, root));
  const python = `${folder}${process.platform === "win32" ? "Scripts/python.exe" : "bin/python"}`;
  const marker = `${folder}installed.txt`;
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return { ok: true, python };
  const later = last === Infinity ? "" : ` or sys.version_info >= (3, ${last + 1})`;
  const fits = `import sys, venv, ensurepip; sys.exit(sys.version_info < (3, ${minor})${later})`;
  const names = last === Infinity
    ? ["python3", "python"]
    : ["python3", "python", `python3.${minor}`, `python3.${last}`];
  const found = names.find((name) => spawnSync(name, ["-c", fits]).status === 0);
  const until = last === Infinity ? "or later" : `to 3.${last}`;
  if (!found) return { ok: false, reason: `there is no Python of version 3.${minor} ${until} with venv and pip` };
  console.error(`svc: installing the Python packages of ${name} ...`);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
  if (!run(found, ["-m", "venv", "--clear", folder]) || !run(python, pip)) {
    if (!required) return { ok: false, reason: `pip cannot install the packages of ${name}` };
    console.error("svc: check the network and run it again");
    process.exit(1);
  }
  writeFileSync(marker, wanted);
  return { ok: true, python };
}

/**
 * Whether a command has done its work.
 *
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: ["ignore", 2, 2] });
  if (status !== 0) console.error(`svc: ${command} ${args.join(" ")} failed`);
  return status === 0;
}
