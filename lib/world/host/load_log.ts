/**
 * Says in the log how far a large model is loaded.
 *
 * @module
 */
import type { LoadedBytes } from "../../models/checkpoint/load_meter.ts";
import type { Log } from "../../platform/processes/log.ts";

/** Lines of a load. */
const LINES = 10;

/** Writes a line whenever another tenth is there. */
export function loadLog(log: Log): (loaded: LoadedBytes) => void {
  let shown: number | undefined;
  return ({ done, total, secondsLeft }) => {
    const step = Math.floor(LINES * done / total);
    if (step === shown) return;
    shown = step;
    const seconds_left = secondsLeft === undefined ? undefined : Math.ceil(secondsLeft);
    log("info", "model_loading", { bytes_read: done, bytes_total: total, seconds_left });
  };
}
