import { writeEngineConfig } from "../nats/config/write_engine_config.ts";
import { print } from "../../lib/platform/processes/run_main.ts";

/** `svc cluster init --engine-config`. */
export async function clusterConfig(directory: string, hosts: readonly string[], json: boolean): Promise<number> {
  const folder = await writeEngineConfig(directory, hosts);
  print(
    json ? `${JSON.stringify({ engine_config: folder })}\n` : `Wrote ${folder}. Start the server with
  nats-server -c ${folder}/nats.conf
then lay the fleet out, with the user of ${folder}/operator.env, by
  svc cluster init --join tls://HOST:4222 --nats-ca ${folder}/ca.pem
`,
  );
  return 0;
}
