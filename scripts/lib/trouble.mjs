/** What a person can mend: a sentence that says what to do, and no stack. */
export class Trouble extends Error {
  constructor(message, code = 1) {
    super(message);
    this.name = 'Trouble';
    this.code = code;
  }
}

/** Runs a script's main function; a Trouble is its sentence, all else a stack. */
export async function main(run, atEnd = async () => {}) {
  let code = 0;
  try {
    code = (await run()) ?? 0;
  } catch (reason) {
    code = reason instanceof Trouble ? reason.code : 1;
    console.error(reason instanceof Trouble ? reason.message : reason);
  }
  await atEnd();
  // Set, not called: what is still being written to a pipe must get out.
  process.exitCode = code;
}
