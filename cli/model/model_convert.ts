import { showBytes } from "../../lib/errors/show.ts";
import { convertTensors } from "../../lib/store/convert/convert_tensors.ts";
import { convertActionworld } from "../../lib/store/convert/world/convert_actionworld.ts";
import type { ConvertedPart } from "../../lib/store/convert/world/convert_part.ts";
import { convertWorld } from "../../lib/store/convert/world/convert_world.ts";
import { CONVERT_HELP, readConvertFlags } from "./convert_flags.ts";
import type { ModelHost } from "./model_host.ts";

/** Weights with the largest errors that are shown. */
const SHOWN = 3;

/** Runs `svc model convert`. */
export async function modelConvert(args: readonly string[], host: ModelHost): Promise<number> {
  const command = readConvertFlags(args);
  if (command.kind === "help") {
    host.terminal.out(CONVERT_HELP);
    return 0;
  }
  const view = await host.progress();
  try {
    if (command.kind !== "tensors") {
      const parts = command.kind === "arworld"
        ? await convertWorld(command.options, view.update, host.signal)
        : await convertActionworld(command.options, view.update, host.signal);
      view.stop();
      for (const part of parts) partLines(part).forEach((line) => host.terminal.out(line));
      for (const edited of new Set(parts.flatMap(({ kept }) => kept))) {
        host.terminal.out(`Kept ${edited} as it is: it was edited since it was written, and differs from the source`);
      }
      return 0;
    }
    const { output } = command.options;
    const { tensors, bytes, found } = await convertTensors(command.options, view.update, host.signal);
    view.stop();
    host.terminal.out(`${found ? "Found" : "Wrote"} ${output} (${tensors} tensors, ${showBytes(bytes)})`);
    return 0;
  } finally {
    view.stop();
  }
}

function partLines({ file, found, weights, bytes, dtype, dialect, unused }: ConvertedPart): string[] {
  const ignored = unused === 0 ? "" : `; ${unused} other tensors left out`;
  const what = `${weights.length} weights as ${dtype} from names of ${dialect}, ${showBytes(bytes)}${ignored}`;
  const errors = weights.slice(0, SHOWN).filter(({ error }) => error > 0).map(({ name, type, error }) =>
    `  ${name} (${type}): off by at most ${(100 * error).toPrecision(2)} % of its largest number`
  );
  return [`${found ? "Found" : "Wrote"} ${file} (${what})`, ...errors];
}
