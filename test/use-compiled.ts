const dir = process.env['TESTS_COMPILED'];
if (dir !== undefined) process.env['NODE_COMPILE_CACHE'] = dir;
