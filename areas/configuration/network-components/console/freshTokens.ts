/** Tokens that were made on this page, until it is loaded again: the server does not say them twice. */
const tokens = new Map<number, string>()
export const keepToken = (id: number, token: string) => void tokens.set(id, token)
export const freshToken = (id: number) => tokens.get(id)
