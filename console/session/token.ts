// The specification's place for the token (section 9).
const key = 'Authorization'

export const token = () => localStorage.getItem(key)
export const setToken = (value: string) => localStorage.setItem(key, value)
export const clearToken = () => localStorage.removeItem(key)
