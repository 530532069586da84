import { defineConfig } from 'oxlint';

import { layers, machineLayers, machineModules, platformModules } from './layers.config.ts';

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  jsPlugins: ['./tools/lint-texts.ts'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true, denyWarnings: true },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/no-non-null-assertion': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'eslint/no-empty': 'error',
    // Comments say what a thing is or promises, as in "Paths whose change triggers a rescan".
    'eslint/no-warning-comments': ['error', { terms: ['what', 'todo', 'fixme'], location: 'start', decoration: ['*'] }],
    'eslint/no-await-in-loop': 'off',
    'eslint/no-shadow': 'off',
    'eslint/no-control-regex': 'off',
    'eslint/no-underscore-dangle': 'off',
    'eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'oxc/no-map-spread': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-cycle': 'error',
    'vitest/require-mock-type-parameters': 'off',
  },
  overrides: [
    ...Object.keys(layers).flatMap((layer) => [
      { files: [`src/${layer}/*.ts`], ...restrict(layer, '..') },
      { files: [`src/${layer}/*/*.ts`], ...restrict(layer, '../..') },
    ]),
    {
      files: ['src/**/*.ts', 'hub/src/**/*.ts', 'console/src/**/*.ts', 'console/src/**/*.tsx'],
      excludeFiles: ['**/*.test.ts'],
      rules: { 'texts/no-reading-texts': 'error' },
    },
    // The command line takes the process as one value, so that it can run in another program, as a test does.
    {
      files: ['src/cli/**/*.ts'],
      excludeFiles: [
        'src/cli/process-io.ts',
        'src/cli/output/standard-stream.ts',
        'src/cli/output/protocol-output.ts',
        'src/**/*.test.ts',
      ],
      rules: {
        'eslint/no-restricted-properties': [
          'error',
          ...['argv', 'cwd', 'env', 'exit', 'on', 'once', 'stderr', 'stdin', 'stdout'].map((property) => ({
            object: 'process',
            property,
            message: 'The command line takes it from `io`.',
          })),
        ],
      },
    },
    {
      files: ['**/*.test.ts', 'test/**', 'hub/test/**', 'bench/**'],
      rules: {
        'typescript/no-unsafe-type-assertion': 'off',
        'import/no-named-as-default-member': 'off',
      },
    },
  ],
  ignorePatterns: ['dist/**', 'node_modules/**', 'bundled-skills/**'],
});

/** The imports forbidden to files of a layer; `up` leads from their folder to src/. */
function restrict(layer: string, up: string): { excludeFiles: string[]; rules: Record<string, ['error', object]> } {
  const mayImport = layers[layer] ?? [];
  const forbidden = Object.keys(layers).filter((other) => other !== layer && !mayImport.includes(other));
  const group = [...forbidden.map((other) => `${up}/${other}/**`), `${up}/*.ts`];
  const message = `${layer}/ may import ${mayImport.join(', ') || 'nothing'} (layers.config.ts).`;
  const machine = machineLayers.includes(layer) ? [] : machineModules;
  const platform = layer === 'platform' ? [] : platformModules;
  const paths = [
    ...machine.map((name) => ({ name, message: 'Only platform/ and the surfaces touch the machine.' })),
    ...platform.map((name) => ({ name, message: 'Only platform/ uses it.' })),
  ];
  const rule: ['error', object] = ['error', { patterns: [{ group, message }], paths }];
  return { excludeFiles: ['src/**/*.test.ts'], rules: { 'eslint/no-restricted-imports': rule } };
}
