export declare function loadJsYaml(): typeof import('js-yaml');
export declare function loadYaml(): typeof import('yaml');
/** The regular expressions that take linear time for any input. */
export declare function loadRe2(): typeof import('re2js');
/** Compresses with the same bytes on every machine; those of zlib depend on its version and on the processor. */
export declare function loadFflate(): typeof import('fflate');
export declare function loadSemver(): typeof import('semver');
export declare function loadDiff(): typeof import('diff');
export declare function loadZod(): typeof import('zod');
export declare function loadJsonc(): typeof import('jsonc-parser');
export declare function loadToml(): typeof import('smol-toml');
export declare function loadWrapAnsi(): typeof import('fast-wrap-ansi');
