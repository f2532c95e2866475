/**
 * A gateway of a fleet, from its command line to its exit.
 *
 * @module
 */
import { startGateway } from "../gateway/start_gateway.ts";
import { readGatewayFlags } from "./gateway_flags.ts";
import { outliveReaders, print } from "../../lib/platform/processes/run_main.ts";
import { shutdownSignal } from "../../lib/platform/processes/shutdown.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";

/**
 * Serves until SIGINT, SIGTERM or SIGHUP; resolves with the exit status.
 *
 * @param command The command's name, for help and errors.
 */
export async function serveGateway(command: string, args: readonly string[]): Promise<number> {
  const asked = readGatewayFlags(command, args);
  if (asked.kind === "help") {
    print(asked.text);
    return 0;
  }
  outliveReaders();
  const ended = shutdownSignal();
  const { url, close } = await startGateway(asked.options);
  print(
    asked.json
      ? `${JSON.stringify({ event: "listening", url, version: VERSION })}\n`
      : `Gateway on ${url}, press Ctrl+C to stop\n`,
  );
  await ended;
  await close();
  return 0;
}
