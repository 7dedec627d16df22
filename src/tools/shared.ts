import * as z from 'zod';

/** Longer than any path that a disk takes. */
export const notebookPath = z.string().min(1).max(4096);

export const cellId = z.string().min(1).max(256);

/** A token as a read or an edit returned it. */
export const revision = z
  .string()
  .max(64)
  .describe('As the last read or edit of it returned it.');

export const replacements = z
  .array(
    z.strictObject({
      old: z.string(),
      new: z.string(),
      all: z.boolean().optional()
    })
  )
  .min(1)
  .max(100);

/** A part of a text or of a list, as `nextRange` of a result. */
export const range = z
  .strictObject({
    offset: z.int().min(0),
    length: z.int().min(1).optional(),
    revision: z.string().max(64).optional()
  })
  .describe('Pass on nextRange to read further.');

export type IRange = z.infer<typeof range>;
