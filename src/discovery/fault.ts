import { printable } from '../base/index.ts';
import { FileError } from '../host/index.ts';

/** What the system refused, in one line, and its word for it: 'EACCES'. */
export type Fault = { fault: string; systemCode: string };

/** The outcome of a file operation, its refusal as a value. Anything but a FileError is thrown on. */
export async function orFault<T>(operation: Promise<T>): Promise<{ value: T } | Fault> {
  try {
    return { value: await operation };
  } catch (error) {
    if (error instanceof FileError) return { fault: printable(error.message), systemCode: error.systemCode };
    throw error;
  }
}
