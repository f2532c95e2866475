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
 * @param {string} [file] the requirements, by default those of `tests/clients/<name>`; where they are given, a package
 *   that pip does not reach is a reason too
 * @returns {{ ok: true, python: string } | { ok: false, reason: string }} `ok` is false only without Python 3 and pip.
 */
export function pythonVenv(name, minor, file) {
  const requirements = fileURLToPath(new URL(file ?? `tests/clients/${name}/requirements.txt`, root));
  const folder = fileURLToPath(new URL(`node_modules/.cache/${name}/`, root));
  const python = `${folder}${process.platform === "win32" ? "Scripts/python.exe" : "bin/python"}`;
  const marker = `${folder}installed.txt`;
  const wanted = readFileSync(requirements, "utf8");
  if (existsSync(marker) && readFileSync(marker, "utf8") === wanted) return { ok: true, python };
  const found = ["python3", "python"].find((name) =>
    spawnSync(name, ["-c", `import sys, venv, ensurepip; sys.exit(sys.version_info < (3, ${minor}))`]).status === 0
  );
  if (!found) return { ok: false, reason: `there is no Python of version 3.${minor} or later with venv and pip` };
  console.error(`svc: installing ${wanted.trim().split(/\s+/).join(", ")} of Python for tests ...`);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
  for (const [command, args] of [[found, ["-m", "venv", "--clear", folder]], [python, pip]]) {
    if (spawnSync(command, args, { stdio: ["ignore", 2, 2] }).status === 0) continue;
    const failed = `${command} ${args.join(" ")} failed`;
    if (file !== undefined) return { ok: false, reason: failed };
    console.error(`svc: ${failed}; check the network and run it again`);
    process.exit(1);
  }
  writeFileSync(marker, wanted);
  return { ok: true, python };
}
