// oxlint-disable oxc/approx-constant -- learned, and like a known number by chance
/** Learned by bench/train/train.ts from real requests; do not edit. No part of a match may count against a skill. */

/** The parts of a score and their weights. `excluded` is taken off, all others are added. */
export const PART_WEIGHTS = {
  strength: 4.852,
  covered: 2.049,
  section: 3.3,
  nameSaid: 1.436,
  nameWhole: 0.369,
  closePairs: 4.283,
  farPairs: 1.615,
  excluded: 6,
  emphasisStrength: 2.107,
  emphasisCovered: 0.385,
  emphasisClose: 2.278,
  emphasisName: 0.305,
  emphasisFar: 0.178,
};

/** How much of a request's task a word tells, as the exponent of e. */
export const EMPHASIS_WEIGHTS: readonly { readonly trait: string; readonly weight: number }[] = [
  { trait: 'rarity', weight: -0.707 },
  { trait: 'how late it comes', weight: -0.68 },
  { trait: 'how near the end', weight: 0.222 },
  { trait: 'in the last sentence', weight: 0.456 },
  { trait: 'has a digit', weight: -0.096 },
  { trait: 'how often it is close to a name', weight: -0.666 },
  { trait: 'how many names have it', weight: 0.409 },
  { trait: 'how often it is said', weight: 0.337 },
  { trait: 'comes first', weight: 0.447 },
  { trait: 'length', weight: 0.095 },
];
