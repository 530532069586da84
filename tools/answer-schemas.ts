import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAst } from 'rolldown/parseAst';

const WIRE = 'src/http/wire';
const OTHERS = ['src/engine/doctor/check-action.ts', 'src/model/host-id.ts'];

/** A node of the syntax tree, as far as types need it. */
interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schemas of everything that the console's API answers, made from the types that its page is compiled with, so that
 * the OpenAPI document cannot say anything else.
 */
export function renderAnswerSchemas(): string {
  const files = [...readdirSync(WIRE).map((name) => join(WIRE, name)), ...OTHERS];
  const types = new Map(files.flatMap((file) => listTypes(readFileSync(file, 'utf8'))));
  const convert = openConverter(types);
  const answersOf = (name: string): Schema =>
    Object.fromEntries(
      membersOf(types.get(name)).map((member) => {
        const output = membersOf(typeOf(member)).find((one) => nameOf(one) === 'output');
        return [nameOf(member), convert(typeOf(output))];
      }),
    );
  const answers = { reads: answersOf('Reads'), changes: answersOf('Changes'), jobs: answersOf('Jobs') };
  const used = collectReferences(answers, types, convert);
  return `${JSON.stringify({ ...answers, schemas: used }, undefined, 1)}\n`;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function nodeAt(node: Node | undefined, ...path: readonly string[]): Node | undefined {
  let at = node;
  for (const key of path) {
    const next = at?.[key];
    at = isNode(next) ? next : undefined;
  }
  return at;
}

/** Exported and private types by name. */
function listTypes(code: string): readonly (readonly [string, Node])[] {
  return nodes(parseAst(code, { lang: 'ts' }).body).flatMap((statement) => {
    const declared = nodeAt(statement, 'declaration') ?? statement;
    const isType = declared.type === 'TSInterfaceDeclaration' || declared.type === 'TSTypeAliasDeclaration';
    return isType ? [[String(nodeAt(declared, 'id')?.['name']), declared] as const] : [];
  });
}

/** The properties of an interface or of an object type. */
function membersOf(node: Node | undefined): readonly Node[] {
  if (node?.type === 'TSInterfaceDeclaration') return nodes(nodeAt(node, 'body')?.['body']);
  return node?.type === 'TSTypeLiteral' ? nodes(node['members']) : [];
}

function nameOf(member: Node): string {
  const key = nodeAt(member, 'key');
  return String(key?.['name'] ?? key?.['value']);
}

function typeOf(member: Node | undefined): Node | undefined {
  return nodeAt(member, 'typeAnnotation', 'typeAnnotation');
}

const PLAIN: Readonly<Record<string, Schema>> = {
  TSStringKeyword: { type: 'string' },
  TSNumberKeyword: { type: 'number' },
  TSBooleanKeyword: { type: 'boolean' },
  TSNullKeyword: { type: 'null' },
  TSObjectKeyword: { type: 'object' },
};

type Converter = (node: Node | undefined) => Schema;

function openConverter(types: ReadonlyMap<string, Node>): Converter {
  const convert: Converter = (node) => {
    const plain = PLAIN[node?.type ?? ''];
    if (plain !== undefined) return plain;
    if (node === undefined) throw new Error('a type is missing');
    switch (node.type) {
      case 'TSTypeOperator':
        return convert(nodeAt(node, 'typeAnnotation'));
      case 'TSArrayType':
        return { type: 'array', items: convert(nodeAt(node, 'elementType')) };
      case 'TSTupleType':
        return { type: 'array', prefixItems: nodes(node['elementTypes']).map(convert) };
      case 'TSNamedTupleMember':
        return convert(nodeAt(node, 'elementType'));
      case 'TSLiteralType':
        return { const: nodeAt(node, 'literal')?.['value'] };
      case 'TSTypeLiteral':
        return toObject(membersOf(node), convert);
      case 'TSUnionType':
        return toUnion(
          nodes(node['types'])
            .filter(({ type }) => type !== 'TSUndefinedKeyword')
            .map(convert),
        );
      case 'TSIntersectionType':
        return { allOf: nodes(node['types']).map(convert) };
      case 'TSIndexedAccessType':
        return convert(findProperty(node, types));
      case 'TSTypeReference':
        return convertReference(node, types, convert);
      case 'TSTypeAliasDeclaration':
        return convert(nodeAt(node, 'typeAnnotation'));
      case 'TSInterfaceDeclaration':
        return withParents(node, toObject(membersOf(node), convert));
      default:
        throw new Error(`the schemas of answers do not know ${node.type}`);
    }
  };
  return convert;
}

function toObject(members: readonly Node[], convert: Converter): Schema {
  const required = members.filter((member) => member['optional'] !== true).map(nameOf);
  const properties = Object.fromEntries(members.map((member) => [nameOf(member), convert(typeOf(member))]));
  return { type: 'object', required, properties };
}

/** Literals become one list. */
function toUnion(members: readonly Schema[]): Schema {
  const [only] = members;
  if (members.length === 1 && only !== undefined) return only;
  return members.every((one) => 'const' in one) ? { enum: members.map((one) => one['const']) } : { anyOf: members };
}

function withParents(node: Node, own: Schema): Schema {
  const parents = nodes(node['extends']).map((parent) => toReference(String(nodeAt(parent, 'expression')?.['name'])));
  return parents.length === 0 ? own : { allOf: [...parents, own] };
}

const PREFIX = '#/components/schemas/';

function toReference(name: string): Schema {
  return { $ref: `${PREFIX}${name}` };
}

function convertReference(node: Node, types: ReadonlyMap<string, Node>, convert: Converter): Schema {
  const name = String(nodeAt(node, 'typeName')?.['name']);
  const [first, second] = nodes(nodeAt(node, 'typeArguments')?.['params']);
  if (name === 'Readonly') return convert(first);
  if (name === 'Record') return toRecord(literalsOf(first, types), convert(second));
  if (name === 'Exclude') return toUnion(literalsOf(node, types).map((value) => ({ const: value })));
  // The ids of hosts come from a list of values.
  if (name === 'HostId') return { type: 'string' };
  if (types.has(name)) return toReference(name);
  throw new Error(`the schemas of answers do not know ${name}`);
}

function toRecord(keys: readonly unknown[], value: Schema): Schema {
  if (keys.length === 0) return { type: 'object', additionalProperties: value };
  return { type: 'object', required: keys, properties: Object.fromEntries(keys.map((key) => [key, value])) };
}

/** The values of a union of literals; none if it is not one. */
function literalsOf(node: Node | undefined, types: ReadonlyMap<string, Node>): readonly unknown[] {
  if (node?.type === 'TSLiteralType') return [nodeAt(node, 'literal')?.['value']];
  if (node?.type === 'TSUnionType') return nodes(node['types']).flatMap((one) => literalsOf(one, types));
  if (node?.type === 'TSTypeAliasDeclaration') return literalsOf(nodeAt(node, 'typeAnnotation'), types);
  if (node?.type !== 'TSTypeReference') return [];
  const name = String(nodeAt(node, 'typeName')?.['name']);
  const [from, without] = nodes(nodeAt(node, 'typeArguments')?.['params']);
  if (name !== 'Exclude') return literalsOf(types.get(name), types);
  const left = new Set(literalsOf(without, types));
  return literalsOf(from, types).filter((value) => !left.has(value));
}

/** `Skill['state']` */
function findProperty(node: Node, types: ReadonlyMap<string, Node>): Node | undefined {
  const owner = types.get(String(nodeAt(node, 'objectType', 'typeName')?.['name']));
  const name = nodeAt(node, 'indexType', 'literal')?.['value'];
  return typeOf(membersOf(owner).find((member) => nameOf(member) === name));
}

/** Every type that the answers lead to. */
function collectReferences(answers: object, types: ReadonlyMap<string, Node>, convert: Converter): Schema {
  const found = new Map<string, Schema>();
  const visit = (value: object): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      const schema = convert(types.get(name));
      found.set(name, schema);
      visit(schema);
    }
  };
  visit(answers);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
