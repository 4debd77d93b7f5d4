/** An archive that does what archives of programs have no need to. The message is for the user. */
export class UnpackError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnpackError';
  }
}
