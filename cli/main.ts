#!/usr/bin/env node
/**
 * The command line tool `svc`.
 *
 * @module
 */
import { print, runMain } from "../lib/platform/processes/run_main.ts";
import { VERSION } from "../lib/platform/processes/version.ts";
import { type Command, runCommand } from "./run_command.ts";

// Each command is loaded when it runs: the help of one does not wait for the code of all.
const serve: Command = {
  help: "serve one generated world over HTTP",
  run: async (args) => await (await import("./serve/world_serve.ts")).worldServe(args),
};
const walk: Command = {
  help: "walk through a generated world and save a video",
  run: async (args) => await (await import("./walk/world_walk.ts")).worldWalk(args),
};
const manifest: Command = {
  help: "validate, compare and describe provider manifests",
  run: async (args) => await (await import("./manifest/manifest.ts")).manifest(args),
};
const serveModels: Command = {
  help: "serve local models over HTTP, compatible with OpenAI clients",
  run: async (args) => await (await import("./serve/api_serve.ts")).apiServe(args),
};
const chat: Command = {
  help: "chat with a model in this terminal",
  run: async (args) => await (await import("./chat/chat.ts")).chat(args),
};
const model: Command = {
  help: "manage the models on this machine: add, pull, list, show, rm, verify, runtime",
  run: async (args) => await (await import("./model/model.ts")).model(args),
};
const status: Command = {
  help: "show whether the model API server is up, and what is installed",
  run: async (args) => await (await import("./status/status.ts")).status(args),
};
const doctor: Command = {
  help: "show what this machine supports, and how to add what is missing",
  run: async (args) => await (await import("./doctor/doctor.ts")).doctor(args),
};
const run: Command = {
  help: "list the records that a model API server has kept",
  run: async (args) => await (await import("./run/run.ts")).run(args),
};
const api: Command = {
  help: "serve local models over HTTP",
  run: (args) =>
    runCommand(
      { name: "svc api", help: "Local models over HTTP", commands: { serve: serveModels }, version: VERSION, print },
      args,
    ),
};
const world: Command = {
  help: "serve or walk through generated worlds",
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
      help: "Generated worlds and local models on whatever GPU you own, or on none",
      commands: { world, api, chat, model, run, status, doctor, manifest },
      version: VERSION,
      print,
    },
    args,
  )
);
