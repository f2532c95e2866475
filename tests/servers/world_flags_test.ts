import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../lib/runtime/flags.ts";
import { readWorldFlags, worldHelp } from "../../servers/world_flags.ts";
import type { WorldServerOptions } from "../../servers/start_world_server.ts";

function options(args: string[], env: Record<string, string> = {}): WorldServerOptions {
  const command = readWorldFlags("svc world serve", args, env);
  assert.equal(command.kind, "serve");
  return command.kind === "serve" ? command.options : {};
}

function usage(args: string[], env: Record<string, string> = {}): string {
  try {
    readWorldFlags("svc world serve", args, env);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
  assert.fail(`${args} were accepted`);
}

test("readWorldFlags() serves the embedded world on loopback by default", () => {
  const { model, host, port, device, prepare, apiKey } = options([]);
  assert.deepEqual({ model, host, port, device, prepare, apiKey }, {
    model: "corridor-nano",
    host: "127.0.0.1",
    port: 8791,
    device: "auto",
    prepare: false,
    apiKey: undefined,
  });
});

test("readWorldFlags() takes the key from the flag before the environment, without blanks", () => {
  assert.equal(options(["--api-key", " a "], { SVC_API_KEY: "b" }).apiKey, "a");
  assert.equal(options([], { SVC_API_KEY: " b\n" }).apiKey, "b");
  assert.equal(options(["--api-key="], { SVC_API_KEY: "b" }).apiKey, undefined);
  assert.equal(options([], { SVC_API_KEY: "  " }).apiKey, undefined);
});

test("readWorldFlags() listens on the network only with a key", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "example.com", ""]) {
    assert.match(usage([`--host=${host}`]), /set --api-key or SVC_API_KEY first/, host);
    assert.match(usage([`--host=${host}`, "--api-key= "]), /set --api-key/);
    assert.equal(options([`--host=${host}`], { SVC_API_KEY: "k" }).host, host);
  }
  for (const host of ["localhost", "::1", "127.0.0.2"]) assert.equal(options([`--host=${host}`]).host, host);
});

test("readWorldFlags() says that there is no actionworld yet", () => {
  assert.match(usage(["--backend", "actionworld"]), /no such backend yet/);
  assert.match(usage(["--backend", "other"]), /expected one of arworld, actionworld/);
});

test("readWorldFlags() takes origins and paths several times and refuses what is no origin", () => {
  const { allowOrigins, allowPaths } = options([
    "--allow-origin=https://a.example.com",
    "--allow-origin=*",
    "--allow-path=/a",
    "--allow-path=/b",
  ]);
  assert.deepEqual(allowOrigins, ["https://a.example.com", "*"]);
  assert.deepEqual(allowPaths, ["/a", "/b"]);
  for (const origin of ["a.example.com", "https://a.example.com/", "https://a.example.com/x", "null", ""]) {
    assert.match(usage([`--allow-origin=${origin}`]), /expected \* or an origin/, origin);
  }
});

test("readWorldFlags() answers --help and --version before it checks the rest", () => {
  assert.equal(readWorldFlags("svc world serve", ["--help", "--host=0.0.0.0"], {}).kind, "help");
  assert.equal(readWorldFlags("svc world serve", ["--version"], {}).kind, "version");
  assert.match(worldHelp("svc world serve"), /--state-directory DIR/);
});
