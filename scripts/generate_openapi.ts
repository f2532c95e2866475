/**
 * Writes the API descriptions of both servers, lib/world/http/openapi.generated.ts and lib/api/http/api_openapi.generated.ts, made
 * from what they read and answer with.
 *
 *   node --import tsx scripts/generate_openapi.ts
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { apiDocument } from "./openapi/api_document.ts";
import { worldDocument } from "./openapi/world_document.ts";

/** A file to generate. */
interface GeneratedFile {
  /** Its path from the root of the repository. */
  readonly name: string;
  readonly text: () => string;
}

/** All files that this writes. */
export const generatedFiles: readonly GeneratedFile[] = [
  {
    name: "lib/world/http/openapi.generated.ts",
    text: () => moduleText("the schemas of lib/world", "the world server", "packedOpenApi", worldDocument()),
  },
  {
    name: "lib/api/http/api_openapi.generated.ts",
    text: () => moduleText("scripts/openapi", "the model API server", "packedApiOpenApi", apiDocument()),
  },
];

function moduleText(source: string, server: string, name: string, document: object): string {
  const packed = deflateRawSync(JSON.stringify(document, null, 1), { level: 9 }).toString("base64");
  return [
    "// deno-fmt-ignore-file",
    `// Written by scripts/generate_openapi.ts from ${source}; do not edit.\n`,
    `/** The OpenAPI 3.1 document of ${server}, as \`unpackText()\` takes it. */`,
    `export const ${name}: string = "${packed}";\n`,
  ].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, text } of generatedFiles) writeFileSync(new URL(`../${name}`, import.meta.url), text());
}
