/** Something that a script did on the recorded network. */
export type NetworkEvent =
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'request';
      readonly isSecure: boolean;
      readonly method: string;
      readonly host: string;
      readonly path: string;
      /** `name: value`, a line each. */
      readonly headers: string;
      /** In base64, cut. */
      readonly body: string;
    }
  | {
      readonly kind: 'connection';
      readonly port: number;
      readonly host: string;
      readonly isSecure: boolean;
      readonly bytes: string;
    }
  | { readonly kind: 'mail'; readonly text: string };

export interface RecorderOptions {
  /** A file for the events, a line of JSON each. */
  readonly log: string;
  /** A file that it makes when all ports are open. */
  readonly ready: string;
  /** A file that says that the script ended, and one that it makes when everything that arrived is in the log. */
  readonly ended: string;
  readonly complete: string;
  readonly ports: readonly number[];
  /** For certificates; without it, secure connections are only named. */
  readonly openssl: string | undefined;
  /** A folder for the authority `ca.pem`, `ca.key` and the certificates it signs. */
  readonly certificates: string;
  /** The answer to a download: a script that leaves a trace if it is run. */
  readonly program: string;
  readonly maxBytes: number;
  readonly lifetimeMs: number;
}

/**
 * The fake internet of a detonated script: answers every name, accepts every connection and records what arrives. A
 * separate process, so it uses nothing from outside.
 */
export function record(options: RecorderOptions): void {
  const fs = process.getBuiltinModule('node:fs');
  const { createSocket } = process.getBuiltinModule('node:dgram');
  const { createServer } = process.getBuiltinModule('node:net');
  const http = process.getBuiltinModule('node:http');
  const tls = process.getBuiltinModule('node:tls');
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const inside = (name: string): string => `${options.certificates}/${name}`;
  let left = options.maxBytes;
  const write = (event: object): void => {
    const line = `${JSON.stringify(event)}\n`;
    left -= line.length;
    if (left > 0) fs.appendFileSync(options.log, line);
  };
  // It exits with the given process: signal 0 only checks that it exists.
  setInterval(() => {
    try {
      process.kill(Number(process.argv[1]), 0);
    } catch {
      process.exit();
    }
  }, 200);
  // The system closes the connections of a script that ended; what they sent is still being read then.
  let [open, accepted, seen] = [0, 0, -1];
  setInterval(() => {
    if (!fs.existsSync(options.ended)) return;
    if (open === 0 && accepted === seen) fs.writeFileSync(options.complete, '');
    seen = accepted;
  }, 50);
  setTimeout(() => process.exit(), options.lifetimeMs);
  process.on('uncaughtException', () => undefined);

  // Every name has the address of this recorder.
  const names = createSocket('udp4');
  names.on('message', (message, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = message[at] ?? 0; length > 0 && length < 64; length = message[at] ?? 0) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = message.subarray(12, at + 5);
    const isAddress = message.readUInt16BE(at + 1) === 1;
    write({ kind: 'name', name: labels.join('.') });
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(0x8580, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(isAddress ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    names.send(Buffer.concat([head, question, isAddress ? answer : Buffer.alloc(0)]), from.port, from.address);
  });
  names.bind(53, '127.0.0.1');

  const web = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size < 1_000_000) chunks.push(chunk);
    });
    request.on('end', () => {
      const isSecure = 'encrypted' in request.socket;
      const headers = Object.entries(request.headers)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join('\n');
      const {
        method = '',
        url: path = '',
        headers: { host = '' },
      } = request;
      write({ kind: 'request', isSecure, method, host, path, headers, body: Buffer.concat(chunks).toString('base64') });
      const isProgram =
        method === 'GET' && !/json|html/.test(String(request.headers.accept)) && !/json|api|data|csv/i.test(path);
      response.writeHead(200, { 'content-type': isProgram ? 'text/plain' : 'application/json' });
      response.end(isProgram ? options.program : '{"ok":true,"status":"ok","data":[],"items":[],"results":[]}');
    });
  });

  const contexts = new Map<string, ReturnType<typeof tls.createSecureContext>>();
  const secure = (name: string): ReturnType<typeof tls.createSecureContext> | undefined => {
    const host = /^[\w.*-]{1,200}$/.test(name) ? name : 'localhost';
    if (contexts.has(host) || options.openssl === undefined || contexts.size > 50) return contexts.get(host);
    const [key, cert] = [inside('leaf.key'), inside(`${contexts.size}.pem`)];
    const subject = /^[\d.]+$/.test(host) ? `IP:${host}` : `DNS:${host}`;
    const authority = ['-CA', inside('ca.pem'), '-CAkey', inside('ca.key')];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const about = [
      '-subj',
      `/CN=${host.slice(0, 60)}`,
      '-addext',
      `subjectAltName=${subject}`,
      '-keyout',
      key,
      '-out',
      cert,
    ];
    spawnSync(options.openssl, [...made, ...authority, ...about], { timeout: 10_000 });
    if (!fs.existsSync(cert)) return undefined;
    contexts.set(host, tls.createSecureContext({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) }));
    return contexts.get(host);
  };

  const speakMail = (socket: import('node:net').Socket): void => {
    let text = '';
    let isData = false;
    socket.write('220 mail ESMTP\r\n');
    socket.on('data', (chunk: Buffer) => {
      text = `${text}${chunk.toString('latin1')}`.slice(0, 1_000_000);
      if (isData) {
        if (!/\r?\n\.\r?\n$/.test(text)) return;
        isData = false;
        write({ kind: 'mail', text });
        text = '';
        socket.write('250 ok\r\n');
      } else if (/^DATA/im.test(chunk.toString('latin1'))) {
        isData = true;
        socket.write('354 go on\r\n');
      } else if (/^EHLO/i.test(chunk.toString('latin1'))) socket.write('250-mail\r\n250 AUTH PLAIN LOGIN\r\n');
      else
        socket.write(
          /^QUIT/i.test(chunk.toString('latin1'))
            ? '221 bye\r\n'
            : /^AUTH/i.test(chunk.toString('latin1'))
              ? '235 ok\r\n'
              : '250 ok\r\n',
        );
    });
  };

  /** By the first bytes: a request, a secure connection, or anything else. */
  const serve = (socket: import('node:net').Socket, port: number, isSecure: boolean): void => {
    socket.on('error', () => socket.destroy());
    const host = socket.localAddress?.replace('::ffff:', '') ?? '';
    const waiting = setTimeout(() => {
      if (MAIL_PORTS.has(port)) speakMail(socket);
    }, 150);
    socket.once('data', (first: Buffer) => {
      clearTimeout(waiting);
      if (MAIL_PORTS.has(port) && socket.listenerCount('data') > 0) return;
      socket.pause();
      socket.unshift(first);
      if (first[0] === 0x16 && !isSecure) {
        let name = '';
        const inner = new tls.TLSSocket(socket, {
          isServer: true,
          SNICallback: (asked, done) => {
            name = asked;
            done(null, secure(asked) ?? tls.createSecureContext());
          },
          secureContext: secure(host) ?? tls.createSecureContext(),
        });
        inner.on('error', () => write({ kind: 'connection', port, host: name, isSecure: true, bytes: '' }));
        serve(inner, port, true);
      } else if (/^[A-Z]{3,8} \S/.test(first.toString('latin1', 0, 12))) {
        web.emit('connection', socket);
        socket.resume();
      } else {
        const chunks: Buffer[] = [];
        let size = 0;
        socket.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size < 1_000_000) chunks.push(chunk);
        });
        socket.on('close', () => {
          write({ kind: 'connection', port, host, isSecure, bytes: Buffer.concat(chunks).toString('base64') });
        });
        socket.resume();
      }
    });
  };
  const MAIL_PORTS = new Set([25, 587, 2525]);
  let waiting = options.ports.length;
  const opened = (): void => {
    waiting -= 1;
    if (waiting === 0) fs.writeFileSync(options.ready, '');
  };
  for (const port of options.ports)
    createServer((socket) => {
      open += 1;
      accepted += 1;
      socket.once('close', () => (open -= 1));
      serve(socket, port, false);
    })
      .on('error', opened)
      .listen(port, '0.0.0.0', opened);
}
