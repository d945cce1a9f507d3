/** A refusal with its HTTP status. */
export class Refused extends Error {
  readonly status: number
  /** Work still in progress after the caller was told to retry. */
  readonly work: Promise<unknown> | undefined
  constructor(status: number, text: string, work?: Promise<unknown>) {
    super(text)
    this.status = status
    this.work = work
  }
}
