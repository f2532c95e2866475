/** The version of this package, as its manifests have it. */
export const VERSION = "0.1.0";
