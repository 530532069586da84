/** The CTX language: an agent asks for skills in one line and gets JSON. */

export { createGateway, type Gateway } from './ctx/gateway.ts';
export { ctxTool } from './ctx/ctx-tool.ts';
export type { CtxPermission, GatewayOptions } from './ctx/permissions.ts';
export type {
  CtxAnswer,
  CtxFailure,
  CtxFoundSkill,
  CtxLoadAnswer,
  CtxResourceAnswer,
  CtxSearchAnswer,
  CtxWriteAnswer,
} from './ctx/answer.ts';
export type { HandleOptions } from './ctx/run-operation.ts';
export { parseStatement, type ParsedStatement } from './ctx/parse-statement.ts';
export { printStatement } from './ctx/print-statement.ts';
export { extractStatements, type ExtractedStatement, type Extraction } from './ctx/extract-statements.ts';
export type { Statement } from './ctx/statement.ts';
export type { StatementError } from './ctx/statement-error.ts';
