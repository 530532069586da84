/** Makes a value when it is first asked for. For constants that take long and that not every start needs. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
