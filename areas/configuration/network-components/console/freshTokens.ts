/** Tokens created on this page, until it reloads: the server returns them only once. */
const tokens = new Map<number, string>()
export const keepToken = (id: number, token: string) => void tokens.set(id, token)
export const freshToken = (id: number) => tokens.get(id)
