/** The version of this package, as in its manifests. */
export const VERSION = "0.1.0";
