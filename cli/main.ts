#!/usr/bin/env node
/**
 * The command line tool `svc`.
 *
 * @module
 */
import { print, runMain } from "../lib/runtime/run_main.ts";
import { VERSION } from "../lib/runtime/version.ts";
import { type Command, runCommand } from "./run_command.ts";

// Each command is loaded when it is run: the help of one does not wait for the code of all.
const serve: Command = {
  help: "serve one generated world over HTTP",
  run: async (args) => await (await import("./world_serve.ts")).worldServe(args),
};
const walk: Command = {
  help: "walk through a generated world and save the video",
  run: async (args) => await (await import("./world_walk.ts")).worldWalk(args),
};
const manifest: Command = {
  help: "provider manifests: validate, compare, describe",
  run: async (args) => await (await import("./manifest.ts")).manifest(args),
};
const model: Command = {
  help: "models on this machine: add, list, show, rm, verify, runtime",
  run: async (args) => await (await import("./model.ts")).model(args),
};
const world: Command = {
  help: "generated worlds: serve, walk",
  run: (args) =>
    runCommand(
      { name: "svc world", help: "Generated worlds", commands: { serve, walk }, version: VERSION, print },
      args,
    ),
};

await runMain((args) =>
  runCommand(
    {
      name: "svc",
      help: "Generated worlds on whatever GPU you own, or on none",
      commands: { world, model, manifest },
      version: VERSION,
      print,
    },
    args,
  )
);
