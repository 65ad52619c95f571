/** An answer that breaks the rules of HTTP/1.1, with the code that Node's own client has for it. */
export class ResponseError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ResponseError';
    this.code = code;
  }
}
