/**
 * The autoencoder that both embedded worlds have. The repository holds it once, under the names of Wan and for frames of
 * 384x256; the file of corridor-nano-actions, which the packages have whole, is that one for frames of half the size,
 * under the names of Diffusers.
 *
 * @module
 */
import { diskReason } from "../../platform/files/disk_reason.ts";
import { readFile, rename, rm, stat, writeFile } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { thisMachine } from "../../platform/processes/processes.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { halvedAutoencoder } from "../../models/video_vae/halved_autoencoder.ts";

/** Its path below `models`. */
export const HELD = "corridor-nano/base/vae.safetensors";
/** Where the file that is made of it lies. */
export const MADE = "corridor-nano-actions/vae/diffusion_pytorch_model.safetensors";

/**
 * Makes the file that the repository does not hold below its `models` folder; nothing where it is there and no older
 * than what it is made of.
 *
 * @throws {SvcError} `disk_full` where it cannot be written.
 */
export async function makeSharedAutoencoder(models: string): Promise<void> {
  const made = join(models, MADE);
  const [from, to] = await Promise.all([join(models, HELD), made].map((path) => stat(path).catch(() => undefined)));
  if (to && !(from && from.mtimeMs > to.mtimeMs)) return;
  const arriving = `${made}.${thisMachine.pid}-${crypto.randomUUID()}`;
  const bytes = halvedAutoencoder(HELD, await readFile(join(models, HELD)));
  try {
    await writeFile(arriving, bytes);
    // Another process may have been faster: what it made is the same.
    await rename(arriving, made);
  } catch (error) {
    const reason = diskReason(error);
    if (reason === undefined) throw error;
    // A copy of the clone may have given it another date.
    const there = to && await readFile(made);
    if (there?.length === bytes.length && there.every((byte, i) => byte === bytes[i])) return;
    throw new SvcError(
      "disk_full",
      `Cannot make ${made} from ${HELD}: ${reason}; run scripts/make_models.ts once where the clone can be written`,
    );
  } finally {
    await rm(arriving, { force: true });
  }
}
