import assert from "node:assert/strict";
import { unpackText } from "../../lib/http/packed_text.ts";
import { test } from "node:test";
import { packedApiOpenApi } from "../../lib/api/http/api_openapi.generated.ts";
import { errorTable } from "../../lib/errors/error_table.ts";
import { errorTypes } from "../../lib/errors/error_row.ts";
import { packedOpenApi } from "../../lib/world/http/openapi.generated.ts";

const statuses = new Map<string, number>(
  Object.entries(errorTable).map(([code, row]) => [code, "status" in row ? row.status : errorTypes[row.type].status]),
);

for (
  const [server, text] of [["world", await unpackText(packedOpenApi)], [
    "model API",
    await unpackText(packedApiOpenApi),
  ]] as const
) {
  test(`every code in the API description of the ${server} server has its status in the table of errors`, () => {
    const { paths, components } = JSON.parse(text);
    const responses: [string, unknown][] = Object.values(paths).flatMap((path) =>
      Object.values(path as Record<string, { responses?: object }>).flatMap(({ responses = {} }) =>
        Object.entries(responses)
      )
    );
    let seen = 0;
    for (const [status, response] of responses) {
      const { $ref = "" } = response as { $ref?: string };
      const described = $ref === "" ? response : components.responses[$ref.split("/").at(-1)!];
      for (const code of codesOf(described)) {
        seen++;
        // The value of a field: a 400, also where another reason has the same word.
        if (status === "400" && code.startsWith("invalid_")) continue;
        assert.equal(String(statuses.get(code)), status, code);
      }
    }
    assert.ok(seen > 50, `${seen} codes`);
  });
}

/** The words that `error.code` may be. */
function codesOf(response: unknown): readonly string[] {
  const found = /"code":\{"enum":(\[[^\]]*\])/.exec(JSON.stringify(response));
  return found ? JSON.parse(found[1]) : [];
}
