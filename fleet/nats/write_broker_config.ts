/**
 * Writes what a NATS server of a fleet is started with: certificates, and a user for each role.
 *
 * @module
 */
import { BROKER_ROLES, permissionsOf } from "./broker_permissions.ts";
import { writeNewFile } from "../../lib/platform/files/atomic_write.ts";
import { join, resolve } from "../../lib/platform/files/paths.ts";
import { makePrivateFolder } from "../../lib/platform/files/work_folder.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { runProcess } from "../../lib/platform/processes/run_process.ts";

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

/** Days of the authority and of the server's certificate. */
const AUTHORITY_DAYS = "3650";
const SERVER_DAYS = "825";

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i;
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*)$/i;

/**
 * The names of a server in its certificate: those given, besides those of this machine.
 *
 * @throws {UsageError} for a host that is neither a name nor an address.
 */
function certificateNames(hosts: readonly string[]): readonly string[] {
  return ["localhost", "127.0.0.1", ...hosts].map((host) => {
    if (ADDRESS.test(host)) return `IP:${host}`;
    if (NAME.test(host)) return `DNS:${host}`;
    throw new UsageError(`Cannot make a certificate for "${host.slice(0, 100)}": expected a name or an address`);
  });
}

/**
 * Writes `ca.pem`, `ca-key.pem`, `server.pem` and `server-key.pem` into a folder.
 *
 * @param names From {@linkcode certificateNames}.
 * @throws {UsageError} where there is no OpenSSL 3.
 */
async function makeCertificates(folder: string, names: readonly string[]): Promise<void> {
  const config = join(folder, "openssl.cnf");
  await writeNewFile(config, new TextEncoder().encode(requestFor(names)), 0o600);
  const file = (name: string): string => join(folder, name);
  const common = ["req", "-x509", "-config", config, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const authority = ["-subj", "/CN=svc fleet authority", "-extensions", "authority", "-days", AUTHORITY_DAYS];
  const server = ["-subj", "/CN=svc fleet", "-extensions", "server", "-days", SERVER_DAYS];
  const signed = ["-CA", file("ca.pem"), "-CAkey", file("ca-key.pem")];
  await openssl([...common, "-nodes", ...authority, "-keyout", file("ca-key.pem"), "-out", file("ca.pem")]);
  await openssl([
    ...common,
    "-nodes",
    ...server,
    ...signed,
    "-keyout",
    file("server-key.pem"),
    "-out",
    file("server.pem"),
  ]);
}

function requestFor(names: readonly string[]): string {
  return `[req]
distinguished_name = name
prompt = no
[name]
CN = svc
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = ${names.join(", ")}
`;
}

async function openssl(args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProcess("openssl", args, new Uint8Array()).catch(() => {
    throw new UsageError("Cannot make certificates: there is no openssl on the PATH, install OpenSSL 3");
  });
  if (code !== 0) {
    throw new UsageError(`Cannot make certificates: openssl ended with ${code}, expected OpenSSL 3: ${stderr.trim()}`);
  }
}
