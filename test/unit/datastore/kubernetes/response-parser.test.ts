import { expect } from 'chai';
import { ResponseError } from '../../../../src/datastore/kubernetes/response-error.ts';
import { ResponseParser } from '../../../../src/datastore/kubernetes/response-parser.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

interface Seen {
  readonly answers: string[];
  readonly headers: Readonly<Record<string, unknown>>[];
}

/** Status, body and whether the connection can be used again, of each answer that came to its end. */
const parse = (text: string, pieceBytes = Infinity): Seen => {
  const seen: Seen = { answers: [], headers: [] };
  let answer = '';
  const parser = new ResponseParser({
    onHead: (status, headers) => {
      answer = `${status} `;
      seen.headers.push(headers);
    },
    onPiece: (bytes, from, to) => (answer += bytes.toString('latin1', from, to)),
    onEnd: (isReusable) => seen.answers.push(answer + (isReusable ? '' : ' and no more')),
  });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += pieceBytes)
    parser.push(bytes.subarray(at, Math.min(at + pieceBytes, bytes.length)));
  if (!parser.end()) seen.answers.push('cut');
  return seen;
};

const codeOf = (text: string): string => {
  try {
    return parse(text).answers.join();
  } catch (error) {
    if (error instanceof ResponseError) return error.code;
    throw error;
  }
};

describe('datastore/kubernetes/response-parser', () => {
  for (const [what, text, answers] of [
    ['a body of a length', `${OK}Content-Length: 3\r\n\r\nabc`, ['200 abc']],
    ['an empty body', `${OK}Content-Length: 0\r\n\r\n`, ['200 ']],
    ['chunks', `${CHUNKED}1\r\na\r\n0A\r\n0123456789\r\n0\r\n\r\n`, ['200 a0123456789']],
    ['extensions', `${CHUNKED}1;a=b\r\na\r\n1 ; c\r\nb\r\n0;d\r\n\r\n`, ['200 ab']],
    ['trailers', `${CHUNKED}1\r\na\r\n0\r\nGrpc-Status: 0\r\nX: y\r\n\r\n`, ['200 a']],
    ['what ends with the connection', `${OK}\r\nabc`, ['200 abc and no more']],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', ['200 a and no more']],
    ['no reason', 'HTTP/1.1 404\r\nContent-Length: 1\r\n\r\na', ['404 a']],
    [
      'a closed connection',
      `${OK}connection: Close\r\nContent-Length: 1\r\n\r\na`,
      ['200 a and no more'],
    ],
    ['a status without a body', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', ['204 ']],
    ['one with chunks', 'HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n\r\n', ['304 ']],
    [
      'hints',
      `HTTP/1.1 103 X\r\nContent-Length: 7\r\n\r\n${OK}Content-Length: 1\r\n\r\na`,
      ['200 a'],
    ],
  ] as const) {
    it(`reads ${what}, in whatever pieces it comes`, () => {
      for (const bytes of [1, 2, 3, 7, Infinity])
        expect(parse(text, bytes).answers.at(-1)?.replace(' and no more', '')).to.equal(
          answers[0].replace(' and no more', ''),
        );
      expect(parse(text).answers).to.deep.equal(answers);
    });
  }

  it('reads one answer after the other', () => {
    const text = `${OK}Content-Length: 1\r\n\r\n`;
    expect(parse(`${text}a${text}b`, `${text}a`.length).answers).to.deep.equal(['200 a', '200 b']);
  });

  it('leaves a connection over which more comes than was asked for', () => {
    for (const more of ['x', '\r\n', OK])
      expect(parse(`${OK}Content-Length: 1\r\n\r\na${more}`).answers).to.deep.equal([
        '200 a and no more',
      ]);
  });

  it('reads headers of any bytes, those of one name together', () => {
    const text = `${OK}Warning: 299 - "\xc4\x8d\x8a"\r\nwarning:b \t\r\nX:\r\nContent-Length: 0\r\n\r\n`;
    expect(parse(text).headers).to.deep.equal([
      { warning: '299 - "\xc4\x8d\x8a", b', x: '', 'content-length': '0' },
    ]);
  });

  for (const size of ['zz', '', '-5', '0x5', '5zz', 'ffffffffffffffff', '+5', ' 5', '5 5'])
    it(`refuses ${JSON.stringify(size)} as the size of a chunk`, () => {
      const text = `${CHUNKED}5\r\n12345\r\n${size}\r\n12345\r\n0\r\n\r\n`;
      expect(codeOf(text)).to.equal('HPE_INVALID_CHUNK_SIZE');
    });

  for (const length of ['abc', '2, 2', '-4', '1.5', '0x2', '+2', '1e1', '', '9999999999999999'])
    it(`refuses ${JSON.stringify(length)} as a length`, () => {
      expect(codeOf(`${OK}Content-Length: ${length}\r\n\r\n{}`)).to.equal(
        'HPE_INVALID_CONTENT_LENGTH',
      );
    });

  for (const [code, what, text] of [
    [
      'HPE_INVALID_CONTENT_LENGTH',
      'two lengths',
      `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'HPE_INVALID_TRANSFER_ENCODING',
      'a length beside chunks',
      `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    [
      'HPE_INVALID_TRANSFER_ENCODING',
      'a coding that was not asked for',
      `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    ],
    [
      'HPE_INVALID_HEADER_TOKEN',
      'a blank in front of a colon',
      `${OK}Content-Length : 2\r\n\r\n{}`,
    ],
    ['HPE_INVALID_HEADER_TOKEN', 'a line without a colon', `${OK}Content-Length\r\n\r\n{}`],
    ['HPE_INVALID_HEADER_TOKEN', 'a header over two lines', `${OK}X: a\r\n b\r\n\r\n{}`],
    ['HPE_INVALID_HEADER_TOKEN', 'a value with a control character', `${OK}X: a\0b\r\n\r\n{}`],
    ['HPE_CR_EXPECTED', 'lines that end otherwise', 'HTTP/1.1 200 OK\n\n{}'],
    ['HPE_INVALID_CONSTANT', 'another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HPE_INVALID_CONSTANT', 'another version', 'HTTP/2.0 200 OK\r\n'],
    ['HPE_STRICT', 'a chunk that is longer than it says', `${CHUNKED}1\r\nab\r\n0\r\n\r\n`],
    ['HPE_HEADER_OVERFLOW', 'a head without end', `${OK}${'X: y\r\n'.repeat(20_000)}`],
    ['HPE_HEADER_OVERFLOW', 'a line without end', `${OK}X: ${'y'.repeat(100_000)}`],
    ['HPE_HEADER_OVERFLOW', 'trailers without end', `${CHUNKED}0\r\n${'X: y\r\n'.repeat(20_000)}`],
    ['HPE_HEADER_OVERFLOW', 'an extension without end', `${CHUNKED}1;${'y'.repeat(100_000)}`],
    ['cut', 'half a head', `${OK}Content-Le`],
    ['cut', 'a head without its end', `${OK}Content-Length: 0\r\n`],
    ['cut', 'half a body', `${OK}Content-Length: 3\r\n\r\nab`],
    ['cut', 'a body without its last chunk', `${CHUNKED}1\r\na\r\n`],
    ['cut', 'trailers without their end', `${CHUNKED}1\r\na\r\n0\r\n`],
  ] as const) {
    it(`refuses ${what}`, () => {
      expect(codeOf(text)).to.equal(code);
    });
  }
});
