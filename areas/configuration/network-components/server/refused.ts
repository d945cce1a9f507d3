/** What a sender did wrong, or that it shall try again, as a status of HTTP. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}
