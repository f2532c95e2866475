/**
 * A model of `@svc/sdk`, which finds this package by itself where it is installed.
 *
 * @module
 */

/** URL of the folder that holds the model's files, such as `file:///…/` where the package is installed. */
export declare const folder: URL;
