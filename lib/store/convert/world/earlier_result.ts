/**
 * What earlier conversions have left where a part is to be written.
 *
 * @module
 */
import { openSafetensors } from "../../../compute/tensor/mod.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { stat } from "../../../platform/files/file_system.ts";
import { join } from "../../../platform/files/paths.ts";
import { openFileReader } from "../../../platform/files/read_part.ts";
import type { ConversionRecord } from "./conversion_record.ts";
import { findUnfinished, type WeightReport } from "./convert_weights.ts";
import type { WorldPart } from "./dialects.ts";

/** Whether a file is whole and has these entries in its header. */
export async function isFinished(file: string, metadata: ReadonlyMap<string, string>): Promise<boolean> {
  const reader = await openFileReader(file).catch(() => undefined);
  if (!reader) return false;
  try {
    const { metadata: there } = await openSafetensors(file, reader);
    return [...metadata].every(([key, value]) => there.get(key) === value);
  } catch {
    return false; // damaged: it is made again
  } finally {
    await reader.close();
  }
}

/**
 * Only what a conversion has made is replaced by another one.
 *
 * @throws {SvcError} `output_exists`.
 */
export async function refuseForeign({ output, parts }: ConversionRecord, name: string): Promise<void> {
  const file = join(output, name);
  const info = await stat(file).catch(() => undefined);
  const made = Object.values(parts) as ({ readonly file?: unknown } | null)[];
  const isOwn = info === undefined || made.some((each) => each?.file === name) ||
    (info.isFile() && await isConverted(file));
  const [foreign] = isOwn ? (await findUnfinished(file)).foreign : [file];
  if (foreign === undefined) return;
  throw new SvcError(
    "output_exists",
    `Cannot write ${foreign}: it exists and no conversion has made it, choose another output or move it away`,
  );
}

async function isConverted(file: string): Promise<boolean> {
  const reader = await openFileReader(file);
  try {
    const opened = await openSafetensors(file, reader).catch(() => undefined);
    return opened?.metadata.has("svc_type") === true;
  } finally {
    await reader.close();
  }
}

/** What became of weights that are whole: a run that was killed before it could record it has left its journal. */
export async function earlierReports(
  { parts }: ConversionRecord,
  part: WorldPart,
  file: string,
): Promise<readonly WeightReport[]> {
  const { reports } = await findUnfinished(file);
  return reports.length > 0 ? reports : (parts[part] as { weights?: WeightReport[] } | undefined)?.weights ?? [];
}
