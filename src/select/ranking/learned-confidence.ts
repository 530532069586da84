/** Learned by bench/train/calibrate.ts from real requests; do not edit. How likely a result is right, as log odds. */
export const CONFIDENCE_WEIGHTS: readonly { readonly evidence: string; readonly weight: number }[] = [
  { evidence: 'always', weight: -5.818 },
  { evidence: 'sum of the parts', weight: 2.08 },
  { evidence: 'lead over the best other result', weight: 2.139 },
  { evidence: 'share of the request covered', weight: 0.986 },
  { evidence: 'share of the name said', weight: 1.019 },
  { evidence: 'length of the request', weight: 0.865 },
  { evidence: 'number of skills', weight: -0.224 },
];
