/** Makes a value when it is first asked for. For constants that take long and that not every start needs. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Computes once for each text, of which it remembers at most so many. For pure functions that are asked a few things many times. */
export function rememberTexts<Output>(most: number, compute: (text: string) => Output): (text: string) => Output {
  const known = new Map<string, { readonly output: Output }>();
  return (text) => {
    const found = known.get(text) ?? { output: compute(text) };
    if (known.size >= most && !known.has(text)) known.clear();
    known.set(text, found);
    return found.output;
  };
}
