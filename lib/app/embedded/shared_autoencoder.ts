/**
 * The autoencoder that both embedded worlds have. The repository holds it once, under the names of Wan; the file of
 * corridor-nano-actions, which the packages have whole, is that one with the names of Diffusers.
 *
 * @module
 */
import { diskReason } from "../../platform/files/disk_reason.ts";
import { access, readFile, rename, rm, writeFile } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { thisMachine } from "../../platform/processes/processes.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { diffusersVaeName } from "../../models/video_vae/vae_config.ts";

/** Its path below `models`. */
export const HELD = "corridor-nano/base/vae.safetensors";
/** Where the file that is made of it lies. */
export const MADE = "corridor-nano-actions/vae/diffusion_pytorch_model.safetensors";

/**
 * Makes the file that the repository does not hold below its `models` folder; nothing where it is there.
 *
 * @throws {SvcError} `disk_full` where it cannot be written.
 */
export async function makeSharedAutoencoder(models: string): Promise<void> {
  const made = join(models, MADE);
  if (await access(made).then(() => true, () => false)) return;
  const arriving = `${made}.${thisMachine.pid}-${crypto.randomUUID()}`;
  try {
    await writeFile(arriving, withDiffusersNames(await readFile(join(models, HELD))));
    // Another process may have been faster: what it made is the same.
    await rename(arriving, made);
  } catch (error) {
    const reason = diskReason(error);
    if (reason === undefined) throw error;
    throw new SvcError(
      "disk_full",
      `Cannot make ${made} from ${HELD}: ${reason}; run scripts/make_models.ts once where the clone can be written`,
    );
  } finally {
    await rm(arriving, { force: true });
  }
}

/** A safetensors file with other names in its header; everything else stays where it is. */
export function withDiffusersNames(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = 8 + Number(view.getBigUint64(0, true));
  const text = new TextDecoder().decode(file.subarray(8, end)).trimEnd();
  const renamed = text.replaceAll(/"([^"]+)": \{/g, (_, name: string) => `"${diffusersVaeName(name)}": {`);
  const header = new TextEncoder().encode(renamed.padEnd(Math.ceil(renamed.length / 8) * 8));
  const result = new Uint8Array(8 + header.length + file.length - end);
  new DataView(result.buffer).setBigUint64(0, BigInt(header.length), true);
  result.set(header, 8);
  result.set(file.subarray(end), 8 + header.length);
  return result;
}
