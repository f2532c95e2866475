/**
 * Writes lib/http/openapi.generated.ts: the API description of the world server, made from the schemas that it reads and
 * answers with.
 *
 *   node --import tsx scripts/generate_openapi.ts
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "./openapi/document.ts";

/** The text of lib/http/openapi.generated.ts. */
export function generateOpenApi(): string {
  // What is deeper than an operation or a component stands in its line: that is short and still shows what changes.
  const json = JSON.stringify(openApiDocument(), null, 1).replace(/\n {4,}/g, "").replace(/[\\`]|\$\{/g, "\\$&");
  return [
    "// Written by scripts/generate_openapi.ts from the schemas of lib/world; do not edit.\n",
    "/** The OpenAPI 3.1 document of the world server. */",
    `export const openApiText: string = \`${json}\n\`;\n`,
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("../lib/http/openapi.generated.ts", import.meta.url), generateOpenApi());
}
