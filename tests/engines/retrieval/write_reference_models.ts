/** `deno run -A tests/engines/retrieval/write_reference_models.ts DIR`: the models for make_reference.py. */
import { join } from "node:path";
import process from "node:process";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";
import { referenceModels } from "./reference_models.ts";

for (const [index, [name, { kind, files, theirs }]] of Object.entries(referenceModels()).entries()) {
  const reference = new TextEncoder().encode(JSON.stringify({ name, kind }));
  writeModel(join(process.argv[2], `model-${index}`), { ...files, ...theirs(), "reference.json": reference });
}
