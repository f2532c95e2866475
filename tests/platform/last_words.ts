/** A child that sends one last message when it receives one, leaves a file, and ends. */
import { writeFileSync } from "node:fs";
import { endProcess, parentChannel } from "../../lib/platform/processes/parent_channel.ts";

const channel = parentChannel("svc test child");
channel.onMessage(async (message) => {
  const { file } = message as { readonly file: string };
  await channel.send("last words");
  writeFileSync(file, "");
  endProcess();
});
