import { open } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { handle } from "../../lib/engines/contract/operation.ts";
import { serveEngine } from "../../lib/engines/process/serve_engine.ts";
import { parentChannel } from "../../lib/platform/processes/parent_channel.ts";
import { make } from "./make_operation.ts";

// An engine that makes bytes, as parts of its result or as a file.
await serveEngine(parentChannel("svc engine"), () =>
  Promise.resolve({
    kind: "operations",
    model: {
      profile: { kind: "speech", engine: "onnx-hibari", voices: ["one"], sampleRate: 24_000 },
      device: "cpu",
      close: () => Promise.resolve(),
    },
    operations: handle(make, async ({ parts, bytes, as }, call) => {
      for (let part = 0; part < parts; part++) {
        call.progress(part / parts, `part ${part + 1} of ${parts}`);
        const data = new Uint8Array(bytes).fill(part);
        if (as === "crash") process.exit(9);
        if (as === "parts") await call.send({ part, data, numbers: Float32Array.of(part, 0.5) });
        else {
          const file = await open(join(call.folder, `${part}.bin`), "wx", 0o600);
          await file.writeFile(data);
          await file.close();
        }
      }
      return { files: as === "files" ? Array.from({ length: parts }, (_, part) => `${part}.bin`) : [] };
    }),
  }));
process.exit();
