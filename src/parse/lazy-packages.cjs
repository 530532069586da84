/*
 * The packages that are loaded on the first call, in the middle of synchronous code: a warm start parses nothing, and most skills
 * need only the first of them. This is CommonJS because bundlers find a package only behind a literal `require` or `import`.
 */
exports.loadJsYaml = () => require('js-yaml');
exports.loadYaml = () => require('yaml');
exports.loadRe2 = () => require('re2js');
exports.loadFflate = () => require('fflate');
exports.loadSemver = () => require('semver');
exports.loadDiff = () => require('diff');
exports.loadZod = () => require('zod');
exports.loadJsonc = () => require('jsonc-parser');
exports.loadToml = () => require('smol-toml');
exports.loadWrapAnsi = () => require('fast-wrap-ansi');
