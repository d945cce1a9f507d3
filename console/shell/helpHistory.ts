// User numbers that have signed in on this browser. The help opens by itself for a new one (specification, section 2).

const key = 'penstock.loginHistory'
const most = 200
/** The help opens this long after the first sign-in, ms. */
export const helpDelayMs = 1000

const read = (): string[] => {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}

export const isFirstLogin = (userNo: string) => !read().includes(userNo)
export const rememberLogin = (userNo: string) =>
  localStorage.setItem(key, JSON.stringify([userNo, ...read().filter((known) => known !== userNo)].slice(0, most)))
