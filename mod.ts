export * from "./lib/tensor/mod.ts";
