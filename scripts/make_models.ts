/** Makes what `models/` does not hold: `node --import tsx scripts/make_models.ts`. */
import { fileURLToPath } from "node:url";
import { makeSharedAutoencoder } from "../lib/app/embedded/shared_autoencoder.ts";

await makeSharedAutoencoder(fileURLToPath(new URL("../models/", import.meta.url)));
