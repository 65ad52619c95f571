const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Begins a list. */
export const OPEN_BRACKET = 0x5b;
/** Ends a list. */
export const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
/** Ends an object. */
export const CLOSE_BRACE = 0x7d;

const PASS = 0;
const OPENS = 1;
const CLOSES = 2;
const STRING = 3;

/** What a byte outside of strings means to the scanner. */
const ROLES = new Uint8Array(256);
ROLES[OPEN_BRACE] = ROLES[OPEN_BRACKET] = OPENS;
ROLES[CLOSE_BRACE] = ROLES[CLOSE_BRACKET] = CLOSES;
ROLES[QUOTE] = STRING;

/** Where a scan stopped. */
export interface ScanStop {
  /** Position behind the byte that stopped it, or the end of the bytes. */
  readonly end: number;
  readonly stopped: boolean;
  /** Position behind the last bracket that brought the depth back to the scan's floor; undefined when none did. */
  readonly backAtFloor: number | undefined;
}

/** What stops a scan. */
export interface ScanLimits {
  /** Depth that a closing bracket has to fall below. */
  readonly floor: number;
  /** Depth at which an opening `[` stops, too. */
  readonly arrayAt?: number | undefined;
}

/**
 * Follows the nesting of JSON text that comes in pieces, byte by byte: brackets inside strings do not count. It checks no
 * grammar; what it cuts out is parsed afterwards.
 */
export class JsonScanner {
  /** Brackets open after the last byte scanned. */
  depth: number;
  #insideString = false;
  /** Bytes at the beginning of the next piece that a backslash at the end of this one escapes: 0 or 1. */
  #escaped = 0;

  /** @param depth Brackets that are open where the first scan begins. */
  constructor(depth = 0) {
    this.depth = depth;
  }

  /** Scans from a position to the first byte that stops, or to the end. */
  scan(bytes: Uint8Array, from: number, limits: ScanLimits): ScanStop {
    const { floor, arrayAt = -1 } = limits;
    const { length } = bytes;
    let { depth } = this;
    let backAtFloor: number | undefined;
    let position = this.#insideString ? this.#skipString(bytes, from) : from;
    let stopped = false;
    while (position < length && !stopped) {
      const byte = bytes[position++] as number;
      const role = ROLES[byte];
      if (role === PASS) continue;
      if (role === STRING) {
        position = this.#skipString(bytes, position);
      } else if (role === OPENS) {
        stopped = byte === OPEN_BRACKET && depth === arrayAt;
        depth++;
      } else {
        depth--;
        stopped = depth < floor;
        if (depth === floor) backAtFloor = position;
      }
    }
    this.depth = depth;
    return { end: position, stopped, backAtFloor };
  }

  /** Position behind the closing quote, or the end of the bytes while there is none. */
  #skipString(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    let position = from + this.#escaped;
    this.#escaped = 0;
    while (position < length) {
      const byte = bytes[position++];
      if (byte === QUOTE) {
        this.#insideString = false;
        return position;
      }
      if (byte === BACKSLASH) position++;
    }
    this.#insideString = true;
    this.#escaped = position - length;
    return length;
  }
}
