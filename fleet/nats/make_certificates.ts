/**
 * Certificates of a fleet's NATS server, made by OpenSSL: an authority of its own, and the server's.
 *
 * @module
 */
import { writeNewFile } from "../../lib/platform/files/atomic_write.ts";
import { join } from "../../lib/platform/files/paths.ts";
import { runProcess } from "../../lib/platform/processes/run_process.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";

/** Days of the authority and of the server's certificate. */
const AUTHORITY_DAYS = "3650";
const SERVER_DAYS = "825";

const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i;
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i;

/**
 * The names of a server in its certificate: those given, besides those of this machine.
 *
 * @throws {UsageError} for a host that is neither a name nor an address.
 */
export function certificateNames(hosts: readonly string[]): readonly string[] {
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
export async function makeCertificates(folder: string, names: readonly string[]): Promise<void> {
  const config = join(folder, "openssl.cnf");
  await writeNewFile(config, new TextEncoder().encode(configuration(names)), 0o600);
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

function configuration(names: readonly string[]): string {
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
