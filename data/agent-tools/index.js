export * from '../../dist/toolset.js';
