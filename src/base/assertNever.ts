/** Proves at compile time that a switch is exhaustive; throws when reached at run time. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
