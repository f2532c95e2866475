/**
 * Writes what a NATS server of a fleet is started with: certificates, and a user for each role.
 *
 * @module
 */
import { BROKER_ROLES, permissionsOf } from "./broker_permissions.ts";
import { writeNewFile } from "../../lib/platform/files/atomic_write.ts";
import { join, resolve } from "../../lib/platform/files/paths.ts";
import { makePrivateFolder } from "../../lib/platform/files/folders/private_folder.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { certificateNames, makeCertificates } from "./make_certificates.ts";

/** Bytes of a password: nobody has to remember it. */
const PASSWORD = 24;

/**
 * Writes `nats.conf`, the certificates, and for every role a file of the environment with its user and password, all of
 * them for this user only.
 *
 * @returns The folder.
 * @throws {UsageError} where something is there already, nothing can be written, or a host is none.
 */
export async function writeBrokerConfig(directory: string, hosts: readonly string[]): Promise<string> {
  const names = certificateNames(hosts);
  const folder = resolve(directory);
  const reason = await makePrivateFolder(folder);
  if (reason !== undefined) throw new UsageError(`Cannot write into ${folder}: ${reason}, expected a new folder`);
  const write = async (name: string, text: string): Promise<void> => {
    await writeNewFile(join(folder, name), new TextEncoder().encode(text), 0o600).catch((cause) => {
      if ((cause as { code?: unknown }).code !== "EEXIST") throw cause;
      throw new UsageError(`Cannot write ${join(folder, name)}: it is there already, expected a new folder`);
    });
  };
  const passwords = new Map(BROKER_ROLES.map((role) => [role, `k${randomHex(PASSWORD)}`]));
  const users = BROKER_ROLES.map((role) =>
    JSON.stringify({ user: role, password: passwords.get(role), permissions: permissionsOf(role) }, null, 2)
  );
  await write("nats.conf", configuration(folder, users));
  await makeCertificates(folder, names);
  for (const [role, password] of passwords) {
    await write(`${role}.env`, `SVC_NATS_USER=${role}\nSVC_NATS_PASSWORD=${password}\n`);
  }
  return folder;
}

function configuration(folder: string, users: readonly string[]): string {
  const path = (name: string): string => JSON.stringify(join(folder, name));
  return `# Of svc cluster init. It has passwords: keep it to the user of the server.
port: 4222
max_payload: 1MB
jetstream { store_dir: ${path("jetstream")} }
tls {
  cert_file: ${path("server.pem")}
  key_file: ${path("server-key.pem")}
  min_version: "1.2"
}
accounts {
  SVC {
    jetstream: enabled
    users: [
${users.join(",\n")}
    ]
  }
}
`;
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
