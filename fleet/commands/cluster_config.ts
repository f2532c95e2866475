import { writeBrokerConfig } from "../nats/write_broker_config.ts";
import { print } from "../../lib/platform/processes/run_main.ts";

/** `svc cluster init --broker-config`. */
export async function clusterConfig(directory: string, hosts: readonly string[], json: boolean): Promise<number> {
  const folder = await writeBrokerConfig(directory, hosts);
  print(
    json ? `${JSON.stringify({ broker_config: folder })}\n` : `Wrote ${folder}. Start the server with
  nats-server -c ${folder}/nats.conf
then lay the fleet out, with the user of ${folder}/operator.env, by
  svc cluster init --join tls://HOST:4222 --nats-ca ${folder}/ca.pem
`,
  );
  return 0;
}
