/** The name of the newest picture that a world has shown, of the names in its state directory. */
export function lastPicture(names: readonly string[]): string | undefined {
  const numbered = names.flatMap((name) => {
    const number = /^(?:state|source)-(\d{4,15})\.png$/.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number) }];
  });
  return numbered.sort((a, b) => a.number - b.number).at(-1)?.name;
}
