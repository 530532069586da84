/** Sorts numbers in place and keeps each once; returns how many are left. */
export function sortNumbers(numbers: Uint32Array): number {
  numbers.sort();
  let length = 0;
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] ?? 0;
    if (length === 0 || numbers[length - 1] !== number) {
      numbers[length] = number;
      length += 1;
    }
  }
  return length;
}
