/** A refusal with its HTTP status. */
export class Refused extends Error {
  readonly status: number
  /** What goes on although its caller was told to try again. */
  readonly work: Promise<unknown> | undefined
  constructor(status: number, text: string, work?: Promise<unknown>) {
    super(text)
    this.status = status
    this.work = work
  }
}
