// deno-lint-ignore-file no-console
// Validates a provider manifest and shows what is wrong with it: deno run examples/manifest.ts
import { lintManifestText, manifestSchema, validateManifestText } from "../lib/manifest/mod.ts";

const manifest = {
  contract_version: "svc/plugin-graph-provider.v1",
  provider_id: "svc-demo",
  provider_version: "1.0.0",
  nodes: [],
};

const { valid, findings } = validateManifestText(JSON.stringify(manifest, null, 2));
console.log(valid ? "it conforms" : "it does not conform:");
for (const { line, column, rule, message } of findings) console.log(`${line}:${column} ${rule} ${message}`);

console.log(`${lintManifestText('{"nodes": []}').findings.length} lint findings`);
console.log(`the schema is of ${manifestSchema().$schema}`);
