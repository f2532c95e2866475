import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";
import { apiHelp, readApiFlags } from "../../../servers/flags/api_flags.ts";
import type { ModelServerOptions } from "../../../lib/app/models/start_model_server.ts";

function options(args: string[], env: Record<string, string> = {}): ModelServerOptions {
  const command = readApiFlags("svc api serve", args, env);
  assert.equal(command.kind, "serve");
  return command.kind === "serve" ? command.options : {};
}

function usage(args: string[], env: Record<string, string> = {}): string {
  try {
    readApiFlags("svc api serve", args, env);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /^Cannot [^\n]*[^.]$/);
    return error.message;
  }
  assert.fail(`${args} were accepted`);
}

// @row model-api > Options > `--host` and `--port`
// @row model-api > Options > `--rate-limit-per-minute`, 60 by default
// @row model-api > Options > `--context-size`, 32768 by default
// @row model-api > Service > Rule 1: binds to loopback by default
// @row model-api > Limits > concurrent inference 1 by default
// @row model-api > Limits > context 32K by default
// @row model-api > Limits > rate limit 60 a minute by default
// @row model-api > Options > `--max-wait`, 600 seconds by default
test("readApiFlags() has the defaults of the contract", () => {
  assert.deepEqual(options([]), {
    model: undefined,
    engine: undefined,
    host: "127.0.0.1",
    port: 8080,
    apiKey: undefined,
    allowOrigins: [],
    allowPaths: [],
    rateLimitPerMinute: undefined,
    maxActiveRequests: 1,
    contextSize: 32768,
    memoryGuard: { tier: "balanced" },
    device: "auto",
    adapter: undefined,
    threads: undefined,
    maxWaitSeconds: 600,
    lora: undefined,
    packedKv: false,
    imageRunRecords: undefined,
    transcriptionRunRecords: undefined,
  });
});

// @row model-api > Options > `--engine`
// @row model-api > Options > `--device` and `--threads`
// @row model-api > Options > `--adapter`
test("readApiFlags() takes every flag, and the short ones", () => {
  const given = options([
    "-m",
    "tiny",
    "--engine=gguf-text",
    "-p",
    "0",
    "--api-key= k ",
    "--rate-limit-per-minute=5",
    "--max-active-requests=4",
    "--context-size=4096",
    "--memory-guard=custom",
    "--memory-guard-custom-ceiling-gb=1.5",
    "--device=webgpu",
    "--adapter=RTX",
    "--threads=2",
    "--max-wait=0",
    "--lora=a.gguf",
    "--kv-quant-scheme=polar",
    "--kv-bits=2",
    "--image-run-records=images",
    "--transcription-run-records=words",
    "--allow-path=a",
    "--allow-path=b",
  ]);
  assert.deepEqual(given, {
    ...options([]),
    model: "tiny",
    engine: "gguf-text",
    port: 0,
    apiKey: "k",
    rateLimitPerMinute: 5,
    maxActiveRequests: 4,
    contextSize: 4096,
    memoryGuard: { tier: "custom", customCeilingBytes: 1.5 * 2 ** 30 },
    device: "webgpu",
    adapter: "RTX",
    threads: 2,
    maxWaitSeconds: 0,
    lora: "a.gguf",
    packedKv: true,
    imageRunRecords: "images",
    transcriptionRunRecords: "words",
    allowPaths: ["a", "b"],
  });
});

// @row model-api > Options > `--rate-limit-per-minute`, 60 by default
// @row model-api > Options > `--device` and `--threads`
test("readApiFlags() takes each number at its bounds and refuses it beyond", () => {
  const bounds = { port: [0, 65535], "rate-limit-per-minute": [1, 2 ** 31 - 1], "max-active-requests": [1, 256] };
  for (const [name, [min, max]] of Object.entries({ ...bounds, "context-size": [1, 2 ** 31 - 1] })) {
    options([`--${name}=${min}`]);
    options([`--${name}=${max}`]);
    assert.match(usage([`--${name}=${min - 1}`]), new RegExp(`expected an integer from ${min} to ${max}$`));
    assert.match(usage([`--${name}=${max + 1}`]), new RegExp(`expected an integer from ${min} to ${max}$`));
    assert.match(usage([`--${name}=1.5`]), /expected an integer/);
  }
});

// @row model-api > Options > `--memory-guard` and `--memory-guard-custom-ceiling-gb`
test("readApiFlags() takes the ceiling of the memory guard with custom only, and needs it there", () => {
  const ceiling = "--memory-guard-custom-ceiling-gb";
  assert.match(usage(["--memory-guard=custom"]), /is missing, expected a number of GiB above 0$/);
  assert.match(usage(["--memory-guard=custom", `${ceiling}=0`]), /is 0, expected a number of GiB above 0$/);
  assert.match(usage(["--memory-guard=custom", `${ceiling}=-1`]), /expected a number from 0/);
  assert.match(usage([`${ceiling}=8`]), /--memory-guard is balanced, expected --memory-guard custom with it$/);
  for (const tier of ["off", "safe", "balanced", "aggressive"]) {
    assert.deepEqual(options([`--memory-guard=${tier}`]).memoryGuard, { tier });
  }
  assert.match(usage(["--memory-guard=all"]), /expected one of off, safe, balanced, aggressive, custom$/);
});

// @row model-api > Options > `--kv-quant-scheme` polar with `--kv-bits` 2
test("readApiFlags() takes scheme and bits of packed state together only", () => {
  assert.match(usage(["--kv-bits=2"]), /expected --kv-quant-scheme polar and --kv-bits 2 together/);
  assert.match(usage(["--kv-quant-scheme=polar"]), /together/);
  assert.match(usage(["--kv-quant-scheme=polar", "--kv-bits=4"]), /expected an integer from 2 to 2$/);
  assert.match(usage(["--kv-quant-scheme=uniform", "--kv-bits=2"]), /expected one of polar$/);
});

// @row model-api > Options > `--host` and `--port`
// @row model-api > Options > `--api-key`: required for a non-loopback host
// @row model-api > Service > Rule 1: binds to loopback by default
// @row model-api > Authentication > 2: a non-loopback bind needs a key
// @row model-api > Authentication > 3: `SVC_API_KEY`, `--api-key` wins
test("readApiFlags() listens on the network only with a key", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.2"]) {
    assert.match(usage([`--host=${host}`]), /^Cannot listen on .*, set --api-key or SVC_API_KEY first$/, host);
    assert.match(usage([`--host=${host}`], { SVC_API_KEY: " " }), /set --api-key/);
    assert.match(usage([`--host=${host}`], { SVC_API_KEY: " 123456789012345 " }), /the key has 15 characters/);
    assert.equal(options([`--host=${host}`], { SVC_API_KEY: "1234567890123456" }).apiKey, "1234567890123456");
  }
  assert.equal(options(["--host=::1"]).apiKey, undefined);
  assert.equal(options(["--api-key=a"], { SVC_API_KEY: "b" }).apiKey, "a");
});

// @row model-api > Options > `--json`, `--help`, `--version`
test("readApiFlags() answers --help and --version before it checks the other flags", () => {
  assert.equal(readApiFlags("svc api serve", ["--help", "--host=0.0.0.0"], {}).kind, "help");
  assert.equal(readApiFlags("svc api serve", ["--version"], {}).kind, "version");
  assert.match(apiHelp("svc api serve"), /-m, --model ID\|PATH/);
});
