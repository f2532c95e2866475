import { packedOpenApi } from "../../lib/world/http/openapi.generated.ts";
import { unpackText } from "../../lib/http/packed_text.ts";
import { DescribedApi, type Part } from "./described_api.ts";

export type { Part };

const world = new DescribedApi(await unpackText(packedOpenApi));

/** The API description that the world server answers with. */
export const description: Part = world.description;

/** See {@linkcode DescribedApi.assertMatches}. */
export function assertMatches(pointer: string, value: unknown, what: string): void {
  world.assertMatches(pointer, value, what);
}

/** See {@linkcode DescribedApi.matchesComponent}. */
export function matchesComponent(name: string, value: unknown): boolean {
  return world.matchesComponent(name, value);
}

/** See {@linkcode DescribedApi.assertDescribed}. */
export function assertDescribed(method: string, path: string, response: Response): Promise<void> {
  return world.assertDescribed(method, path, response);
}

/** See {@linkcode DescribedApi.templateOf}. */
export function templateOf(path: string): string | undefined {
  return world.templateOf(path);
}
