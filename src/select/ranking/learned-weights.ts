// oxlint-disable oxc/approx-constant -- learned, and like a known number by chance
/** Learned by bench/train/train.ts from real requests; do not edit. No part of a match may count against a skill. */

/** The parts of a score and their weights. `excluded` is taken off, all others are added. */
export const PART_WEIGHTS = {
  strength: 4.877,
  covered: 2,
  section: 2.957,
  nameSaid: 1.356,
  nameWhole: 0.34,
  metadataPairs: 2.434,
  instructionPairs: 0.731,
  excluded: 6,
  emphasisStrength: 1.845,
  emphasisCovered: 0.167,
  emphasisMetadata: 2.028,
  emphasisName: 0.343,
  emphasisInstructions: 0.087,
  emphasisMetadataPairs: 1.624,
  emphasisInstructionPairs: 1.414,
};

/** How much of a request's task a word tells, as the exponent of e. */
export const EMPHASIS_WEIGHTS: readonly { readonly trait: string; readonly weight: number }[] = [
  { trait: 'rarity', weight: -0.867 },
  { trait: 'how late it comes', weight: -0.578 },
  { trait: 'how near the end', weight: 0.263 },
  { trait: 'in the last sentence', weight: 0.229 },
  { trait: 'has a digit', weight: -0.053 },
  { trait: 'how often it is in metadata', weight: -0.653 },
  { trait: 'how many names have it', weight: 0.327 },
  { trait: 'how often it is said', weight: 0.324 },
  { trait: 'comes first', weight: 0.191 },
  { trait: 'length', weight: 0.104 },
  { trait: 'says what to do', weight: 0.538 },
  { trait: 'after an article', weight: 0.384 },
];
