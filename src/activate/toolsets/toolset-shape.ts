import { isPlainObject, type PlainObject } from '../../model/foreign-values.ts';
import { Tool } from './tool.ts';

/**
 * Gets the tools out of an export. It may be a tool, a list of tools, an object of tools by name, an object with `tools`
 * or `getTools()`, a class of such objects, or a function that returns any of these. Otherwise it throws a TypeError.
 * Errors of the foreign code are not caught.
 */
export async function toolsOf(exported: unknown): Promise<readonly Tool[]> {
  let value = exported;
  // A function may return a class whose objects have `getTools`: each such step occurs in practice.
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const tools = readTools(value);
    if (tools !== undefined) return refuseTwins(tools);
    value = await unwrap(value);
  }
  throw new TypeError('it is not a list of tools');
}

const MAX_STEPS = 4;

function readTools(value: unknown): readonly Tool[] | undefined {
  if (Array.isArray(value)) return value.map((item: unknown) => toTool(item));
  if (!isPlainObject(value)) return undefined;
  if (isToolLike(value)) return [toTool(value)];
  const entries = Object.entries(value);
  const areTools = entries.length > 0 && entries.every(([, item]) => isToolLike(item));
  return areTools ? entries.map(([name, item]) => toTool(item, name)) : undefined;
}

function isToolLike(value: unknown): value is PlainObject {
  return isPlainObject(value) && typeof value['execute'] === 'function';
}

function toTool(value: unknown, key?: string): Tool {
  if (!isToolLike(value)) throw new TypeError(`it lists ${describe(value)}, which is not a tool`);
  if (isTool(value)) return value;
  const { name = key } = value;
  // `define` reports what is wrong with it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Tool.define(name as string, value as never);
}

/** Made by `Tool.define` of any copy of this package; such tools have no `parameters`. */
function isTool(value: PlainObject): value is PlainObject & Tool {
  const { name, description, schema, parameters } = value;
  return (
    typeof name === 'string' &&
    typeof description === 'string' &&
    typeof schema === 'function' &&
    parameters === undefined
  );
}

async function unwrap(value: unknown): Promise<unknown> {
  if (typeof value !== 'function' && !isPlainObject(value))
    throw new TypeError(`it is ${describe(value)}, not a list of tools`);
  const tools: unknown = Reflect.get(value, 'tools');
  if (tools !== undefined) return tools;
  const getTools: unknown = Reflect.get(value, 'getTools');
  if (typeof getTools === 'function') return Reflect.apply(getTools, value, []);
  if (typeof value !== 'function') throw new TypeError('it is an object without tools');
  return isClass(value) ? Reflect.construct(value, []) : Reflect.apply(value, undefined, []);
}

function isClass(value: Function): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function refuseTwins(tools: readonly Tool[]): readonly Tool[] {
  if (tools.length === 0) throw new TypeError('it has no tools');
  const names = tools.map((tool) => tool.name);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) throw new TypeError(`it has two tools with the name "${twin}"`);
  return tools;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
