import { DataError } from '../../errors/data-error.ts';

/** An answer is larger than a message may be; asking for fewer entries helps, unless it was one alone. */
export class AnswerTooLargeError extends DataError {}
