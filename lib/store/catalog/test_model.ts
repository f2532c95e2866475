/**
 * Models for tests, whose weights are random or scripted: marked as such, so that nobody takes their answers for real.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import type { InstalledModel } from "./installed_model.ts";

/** What ids of test models begin with; what stands in for a published model has that model's id after it. */
export const TEST_PREFIX = "tiny-";

/**
 * Refuses an id under which a test model could be taken for a published one.
 *
 * @throws {SvcError} `invalid_id`.
 */
export function checkTestId(id: string): void {
  if (id.startsWith(TEST_PREFIX)) return;
  const message = `Cannot add ${id} as a test model: expected an id that begins with ${TEST_PREFIX}`;
  throw new SvcError("invalid_id", message);
}

/** What answers of a test model warn of. */
export function testWarnings({ id, test }: Pick<InstalledModel, "id" | "test">): readonly string[] {
  if (!test) return [];
  return [`${id} is a test model: its weights are random or scripted, its answers mean nothing`];
}
