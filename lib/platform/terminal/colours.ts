/**
 * The colours of commands.
 *
 * @module
 */
import type { Paint } from "./terminal_text.ts";

const sgr = (on: number, off: number): Paint => (shown) => `\x1b[${on}m${shown}\x1b[${off}m`;

export const red: Paint = sgr(31, 39);
export const green: Paint = sgr(32, 39);
export const yellow: Paint = sgr(33, 39);
export const bold: Paint = sgr(1, 22);
export const dim: Paint = sgr(2, 22);
