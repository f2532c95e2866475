#!/usr/bin/env node
/**
 * The command line tool `svc`.
 *
 * @module
 */
import { print, runMain } from "../lib/platform/processes/run_main.ts";
import { VERSION } from "../lib/platform/processes/version.ts";
import { fleetCommands } from "./fleet_commands.ts";
import { hidden } from "./hidden_commands.ts";
import { command, group } from "./lazy_command.ts";
import { type Command, runCommand } from "./run_command.ts";

const commands: Readonly<Record<string, Command>> = {
  world: group("world", "serve or walk through generated worlds", "Generated worlds", {
    serve: command(
      "serve one generated world over HTTP",
      async () => (await import("./serve/world_serve.ts")).worldServe,
    ),
    plan: command(
      "show how much memory a world model needs, and which sizes fit",
      async () => (await import("./plan/world_plan.ts")).worldPlan,
    ),
    export: command(
      "export a world to one file",
      async () => (await import("./world_file/world_file.ts")).worldExport,
    ),
    import: command(
      "import a world from a file",
      async () => (await import("./world_file/world_file.ts")).worldImport,
    ),
    walk: command(
      "walk through a generated world and save a video",
      async () => (await import("./walk/world_walk.ts")).worldWalk,
    ),
  }),
  ...fleetCommands,
  api: group("api", "serve local models over HTTP", "Local models over HTTP", {
    serve: command(
      "serve local models over HTTP, compatible with OpenAI clients",
      async () => (await import("./serve/api_serve.ts")).apiServe,
    ),
  }),
  transcribe: command(
    "transcribe a recording",
    async () => (await import("./transcribe/transcribe.ts")).transcribe,
  ),
  image: command("make or edit an image", async () => (await import("./image/image.ts")).image),
  speak: command("speak a text", async () => (await import("./speak/speak.ts")).speak),
  chat: command("chat with a model in this terminal", async () => (await import("./chat/chat.ts")).chat),
  run: command("chat with a model: the same as svc chat", async () => (await import("./chat/run.ts")).run),
  "open-webui": command(
    "start Open WebUI in front of local models",
    async () => (await import("./open_webui/open_webui.ts")).openWebui,
  ),
  model: command(
    "manage the models on this machine: add, pull, list, show, rm, verify, convert, runtime",
    async () => (await import("./model/model.ts")).model,
  ),
  vision: command(
    "estimate geometry, depth and 3D objects from images and videos",
    async () => (await import("./vision/vision.ts")).vision,
  ),
  records: command(
    "list the run records of a model API server",
    async () => (await import("./records/records.ts")).records,
  ),
  status: command(
    "show whether the model API server is up, and what is installed",
    async () => (await import("./status/status.ts")).status,
  ),
  doctor: command(
    "show what this machine supports, and how to add what is missing",
    async () => (await import("./doctor/doctor.ts")).doctor,
  ),
  manifest: command(
    "validate, compare and describe provider manifests",
    async () => (await import("./manifest/manifest.ts")).manifest,
  ),
  completion: command("complete commands, flags and models in a shell", async () => {
    const { completion } = await import("./completion/completion.ts");
    return (args) => completion(args, commands);
  }),
};

const help = "Generated worlds and local models on whatever GPU you own, or on none";
await runMain((args) => runCommand({ name: "svc", help, commands, hidden, version: VERSION, print }, args));
