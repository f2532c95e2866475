/**
 * The calls of the file system that compositions make; what takes more than one of them is a function of its own here.
 *
 * @module
 */
export {
  access,
  appendFile,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
