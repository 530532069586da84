import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of a tool with which the stub answers. */
export interface StubCall {
  readonly tool: string;
  /** Text if the tool takes a program instead of fields, as Codex's `exec` does. */
  readonly input: object | string;
}

/** Stands in for the models of the programs, on the loopback address. */
export interface StubModel extends AsyncDisposable {
  readonly address: string;
  /** The bodies of the requests so far, as text. */
  readonly requests: readonly string[];
  /** Forgets the requests. The first answers are these calls of tools, if the request offers such a tool; all others are "ok". */
  reset(calls?: readonly StubCall[]): void;
}

export async function openStubModel(): Promise<StubModel> {
  const requests: string[] = [];
  let calls: StubCall[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const protocol = PROTOCOLS.find(([part]) => request.url?.includes(part) === true)?.[1];
    if (protocol === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    requests.push(body);
    const isOffered = calls[0] !== undefined && body.includes(`"${calls[0].tool}"`);
    sendEvents(response, protocol(isOffered ? calls.shift() : undefined));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reset(next = []) {
      requests.length = 0;
      calls = [...next];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Event = readonly [name: string | undefined, data: object | string];
type Protocol = (call: StubCall | undefined) => readonly Event[];

function sendEvents(response: ServerResponse, events: readonly Event[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of events)
    response.write(
      `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
  response.end();
}

const anthropic: Protocol = (call) => {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const block =
    call === undefined ? { type: 'text', text: '' } : { type: 'tool_use', id: 'toolu_1', name: call.tool, input: {} };
  const delta =
    call === undefined
      ? { type: 'text_delta', text: 'ok' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'stub',
    content: [],
    stop_reason: null,
    usage,
  };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use' }, usage },
    { type: 'message_stop' },
  ].map((event) => [event.type, event]);
};

const responses: Protocol = (call) => {
  const said = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'ok', annotations: [] }],
  };
  const called = call && {
    id: 'fc_1',
    call_id: 'call_1',
    name: call.tool,
    status: 'completed',
    ...(typeof call.input === 'string'
      ? { type: 'custom_tool_call', input: call.input }
      : { type: 'function_call', arguments: JSON.stringify(call.input) }),
  };
  const item = called ?? said;
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: 'response.created', response: { id: 'response_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'response_1', output: [item], usage } },
  ].map((event) => [event.type, event]);
};

const completions: Protocol = (call) => {
  const called = call && {
    tool_calls: [
      {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: call.tool, arguments: JSON.stringify(call.input) },
      },
    ],
  };
  const chunk = { id: 'chunk_1', object: 'chat.completion.chunk', created: 1, model: 'stub' };
  const delta = { role: 'assistant', content: called === undefined ? 'ok' : null, ...called };
  const end = { index: 0, delta: {}, finish_reason: called === undefined ? 'stop' : 'tool_calls' };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return [
    [undefined, { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }],
    [undefined, { ...chunk, choices: [end], usage }],
    [undefined, '[DONE]'],
  ];
};

const gemini: Protocol = (call) => {
  const part = call === undefined ? { text: 'ok' } : { functionCall: { name: call.tool, args: call.input } };
  const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }];
  return [
    [undefined, { candidates, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } }],
  ];
};

const PROTOCOLS: readonly (readonly [part: string, protocol: Protocol])[] = [
  ['/v1/messages', anthropic],
  ['/responses', responses],
  ['/chat/completions', completions],
  [':streamGenerateContent', gemini],
];
