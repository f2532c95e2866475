/**
 * Writes what a NATS server of a fleet is started with: certificates, a user for each role and for workers that are named,
 * and an account for each isolated pool.
 *
 * @module
 */
import { BROKER_ROLES, type BrokerUser, permissionsOf, userName } from "./broker_permissions.ts";
import { writeNewFile } from "../../lib/platform/files/atomic_write.ts";
import { join, resolve } from "../../lib/platform/files/paths.ts";
import { FLEET_NAME } from "../../servers/flags/fleet_flags.ts";
import { makePrivateFolder } from "../../lib/platform/files/work_folder.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { runProcess } from "../../lib/platform/processes/run_process.ts";

/** Bytes of a password, which no person has to remember. */
const PASSWORD = 24;

/** What is written. */
export interface BrokerConfigOptions {
  /** Names and addresses of the server, for its certificate. */
  readonly hosts: readonly string[];
  /** Pools with an account each; one account for whatever pools there are by default. */
  readonly pools?: readonly string[];
  /** Workers with a user each, `NAME`, or `POOL/NAME` with pools; where none is named, workers share a user. */
  readonly workers?: readonly string[];
}

/** Users that trust each other. */
interface BrokerAccount {
  readonly name: string;
  /** Where the files of its users are, below the folder. */
  readonly folder: string;
  readonly users: readonly BrokerUser[];
}

/**
 * Writes `nats.conf`, the certificates, and for every user a file of the environment with its name and password, all of
 * them for this user only.
 *
 * @returns The folder.
 * @throws {UsageError} where the folder is not empty or not writable, or a host, a pool or a worker is invalid.
 */
export async function writeBrokerConfig(directory: string, options: BrokerConfigOptions): Promise<string> {
  const names = certificateNames(options.hosts);
  const accounts = accountsOf(options);
  const folder = resolve(directory);
  await makeFolder(folder);
  const write = async (name: string, text: string): Promise<void> => {
    await writeNewFile(join(folder, name), new TextEncoder().encode(text), 0o600).catch((cause) => {
      if ((cause as { code?: unknown }).code !== "EEXIST") throw cause;
      throw new UsageError(`Cannot write ${join(folder, name)}: it already exists, expected a new folder`);
    });
  };
  const passwords = new Map(
    accounts.flatMap(({ users }) => users).map((user) => [userName(user), `k${randomHex(PASSWORD)}`]),
  );
  await write("nats.conf", configuration(folder, accounts, passwords));
  await makeCertificates(folder, names);
  for (const { folder: below, users } of accounts) {
    if (below !== "") await makeFolder(join(folder, below));
    for (const user of users) {
      const name = userName(user);
      const file = [user.role, user.worker].filter((part) => part !== undefined).join("-");
      const text = `SVC_NATS_USER=${name}\nSVC_NATS_PASSWORD=${passwords.get(name)}\n`;
      await write(join(below, `${file}.env`), text);
    }
  }
  return folder;
}

async function makeFolder(folder: string): Promise<void> {
  const reason = await makePrivateFolder(folder);
  if (reason !== undefined) throw new UsageError(`Cannot write into ${folder}: ${reason}, expected a new folder`);
}

/** The accounts and their users. @throws {UsageError} for a name that is invalid or given twice. */
function accountsOf({ pools = [], workers = [] }: BrokerConfigOptions): BrokerAccount[] {
  const named = new Map<string | undefined, string[]>((pools.length === 0 ? [undefined] : pools).map((p) => [p, []]));
  if (named.size < pools.length) throw new UsageError("Cannot write users: a pool comes twice");
  for (const text of workers) {
    const [, pool, worker] = /^(?:([^/]+)\/)?([^/]*)$/.exec(text) ?? [];
    const all = named.get(pool);
    if (!all || !FLEET_NAME.test(worker)) {
      const what = pools.length === 0 ? "the name of a worker" : `POOL/NAME with a pool of ${pools.join(", ")}`;
      throw new UsageError(`Cannot write a user for "${text.slice(0, 100)}": expected ${what}`);
    }
    if (all.includes(worker)) throw new UsageError(`Cannot write a user for ${text}: it comes twice`);
    all.push(worker);
  }
  return [...named].map(([pool, ofPool]) => {
    if (pool !== undefined && !FLEET_NAME.test(pool)) {
      throw new UsageError(`Cannot write an account for "${pool.slice(0, 100)}": expected the name of a pool`);
    }
    const users = BROKER_ROLES.flatMap((role): BrokerUser[] =>
      role === "worker" && ofPool.length > 0 ? ofPool.map((worker) => ({ role, pool, worker })) : [{ role, pool }]
    );
    return { name: pool === undefined ? "SVC" : `SVC-${pool}`, folder: pool ?? "", users };
  });
}

function configuration(
  folder: string,
  accounts: readonly BrokerAccount[],
  passwords: ReadonlyMap<string, string>,
): string {
  const path = (name: string): string => JSON.stringify(join(folder, name));
  const written = accounts.map(({ name, users }) => {
    const all = users.map((user) => {
      const known = { user: userName(user), password: passwords.get(userName(user)) };
      return JSON.stringify({ ...known, permissions: permissionsOf(user) }, null, 2);
    });
    return `  "${name}" {\n    jetstream: enabled\n    users: [\n${all.join(",\n")}\n    ]\n  }\n`;
  });
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
${written.join("")}}
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
