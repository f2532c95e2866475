import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const lib = new URL("../../lib/", import.meta.url);

/** The module that reads command lines and prints their flags. */
const FLAGS = "platform/terminal/flags.ts";

/** A flag may follow a command that a sentence says whole, as `svc model add FOLDER --link`, or a program that runs. */
const COMMAND = /(?:\b(?:svc|pip|npm|hf|nvidiaSmi|gguf_new_metadata)\b[^;]*|\[["'])$/;

/** Flags in the strings of a module without a command. */
function bareFlags(text: string): string[] {
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...code.matchAll(/(?<=["'`( ])--[a-z][a-z-]*/g)]
    .filter(({ index }) => !COMMAND.test(code.slice(0, index)) && /["'`]/.test(code.slice(index).split("\n")[0]))
    .map(([flag]) => flag);
}

test("flags without a command are found in strings, and only there", () => {
  assert.deepEqual(bareFlags("throw new Error(`no GPU, or use --device cpu`);"), ["--device"]);
  assert.deepEqual(
    bareFlags('const remedy = "svc model add FOLDER --link";\n// or --link\nif (a || --left > 0) b();'),
    [],
  );
});

// A library is not run by a command line: its errors name options with optionError(), which the shell prints as flags.
test("messages of libraries name options, and no flags", () => {
  const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".generated.ts") && name !== FLAGS);
  assert.ok(files.length > 500);
  const found = files.flatMap((name) =>
    bareFlags(readFileSync(new URL(name, lib), "utf8")).map((flag) => `${name}: ${flag}`)
  );
  assert.deepEqual(found, []);
});
