import type { UserConfig } from 'vite';

/** How a page is built from the sources of this workspace. */
export function pageConfig(root: string, outDir: string): UserConfig {
  return {
    root,
    publicDir: `${import.meta.dirname}/public`,
    // The same in the environment of tests, so that they test the page that ships, without names of source files in it.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: `${import.meta.dirname}/../${outDir}`,
      emptyOutDir: true,
      // The page must load nothing inline: the server forbids it.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  };
}
