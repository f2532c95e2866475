/* @ts-self-types="./mod.d.ts" */
/** URL of the folder that holds the model's files, such as `file:///…/` where the package is installed. */
export const folder = new URL("./", import.meta.url);
