import assert from "node:assert/strict";
import { test } from "node:test";
import { flagsHelp, readFlags, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";

const TABLE = {
  model: { kind: "string", value: "DIR", default: "nano", help: "which model" },
  key: { kind: "string", value: "KEY", help: "a key" },
  path: { kind: "strings", value: "DIR", help: "a path" },
  port: { kind: "integer", value: "N", min: 0, max: 65535, default: 8791, help: "a port" },
  device: { kind: "choice", choices: ["auto", "cpu"], default: "auto", help: "a device" },
  prepare: { kind: "boolean", help: "load first" },
} as const;

function usage(args: string[]): string {
  try {
    readFlags("svc run", args, TABLE);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /^Cannot run svc run: .*[^.]$/);
    return error.message;
  }
  assert.fail(`${args} were accepted`);
}

test("readFlags() gives defaults for what is left out", () => {
  assert.deepEqual(readFlags("svc run", [], TABLE), {
    model: "nano",
    key: undefined,
    path: [],
    port: 8791,
    device: "auto",
    prepare: false,
  });
});

test("readFlags() reads values after a space and after an equals sign", () => {
  const args = ["--model", "a b", "--key=-x=y", "--path", "p", "--path=q", "--port=0", "--device", "cpu", "--prepare"];
  assert.deepEqual(readFlags("svc run", args, TABLE), {
    model: "a b",
    key: "-x=y",
    path: ["p", "q"],
    port: 0,
    device: "cpu",
    prepare: true,
  });
});

test("readFlags() says what an unknown flag means", () => {
  assert.match(usage(["--prot", "1"]), /the flag --prot is unknown, did you mean --port\?/);
  assert.match(usage(["--temperature=1"]), /the flag --temperature is unknown, see svc run --help/);
  assert.match(usage(["--constructor", "1"]), /flag --constructor is unknown/);
  assert.match(usage(["-x"]), /flag -x is unknown/);
});

test("readFlags() refuses a missing value, also where another flag follows", () => {
  assert.match(usage(["--port"]), /--port has no value, expected an integer from 0 to 65535/);
  assert.match(usage(["--model", "--port", "1"]), /--model has no value, expected --model DIR/);
  assert.match(usage(["--port", "-1"]), /--port is "-1", expected an integer/);
  assert.match(usage(["--device"]), /--device has no value, expected one of auto, cpu/);
});

test("readFlags() refuses wrong values", () => {
  for (const port of ["abc", "1.5", "-1", "65536", "", "0x10", "1e3", "9".repeat(400)]) {
    assert.match(usage([`--port=${port}`]), /expected an integer from 0 to 65535/, port);
  }
  assert.match(usage(["--device", "gpu"]), /--device is "gpu", expected one of auto, cpu/);
  assert.match(usage(["--prepare=yes"]), /--prepare has the value "yes", expected none/);
  assert.match(usage(["word"]), /argument "word" is unexpected/);
  assert.match(usage(["--", "word"]), /argument "word" is unexpected/);
});

test("readFlagsAndWords() keeps the words apart", () => {
  const { flags, words } = readFlagsAndWords("svc run", ["a", "--port", "1", "b"], TABLE);
  assert.deepEqual([flags.port, words], [1, ["a", "b"]]);
});

test("flagsHelp() has a line for each flag with its default", () => {
  const lines = flagsHelp(TABLE).split("\n");
  assert.equal(lines.length, Object.keys(TABLE).length);
  assert.match(lines[3], /^ {2}--port N +a port \(default 8791\)$/);
  assert.match(lines[4], /^ {2}--device auto\|cpu +a device \(default auto\)$/);
});

test("readFlags() reads numbers with fractions, and a letter for an integer", () => {
  const table = {
    share: { kind: "number", value: "X", min: 0, max: 2, help: "a share" },
    port: { kind: "integer", value: "N", min: 0, max: 65535, help: "a port", short: "p" },
  } as const;
  assert.deepEqual(readFlags("svc run", ["--share", ".5", "-p", "80"], table), { share: 0.5, port: 80 });
  assert.deepEqual(readFlags("svc run", ["--share=2e0"], table), { share: 2, port: undefined });
  assert.match(flagsHelp(table), /-p, --port N/);
  for (const wrong of ["-0.1", "2.1", "abc", "NaN", "Infinity", "0x1", "", "1,5"]) {
    assert.throws(() => readFlags("svc run", [`--share=${wrong}`], table), /expected a number from 0 to 2$/, wrong);
  }
});

test("flagsHelp() gives a flag that is too long for its column a line for itself", () => {
  const names = ["short", `long-${"x".repeat(40)}`];
  const table = Object.fromEntries(
    names.map((name) => [name, { kind: "string", value: "V", help: `of ${name}` }] as const),
  );
  const lines = flagsHelp(table).split("\n");
  assert.deepEqual(lines.map((line) => line.trimEnd().length < 90 && line.indexOf("of ")), [38, -1, 38]);
});
