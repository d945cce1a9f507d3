// The mark that tells this browser from strangers who try passwords (docs/security.md). It outlives the session and opens nothing.
const key = 'penstock.browser'

/** Empty asks the server for one. */
export const browserMark = () => localStorage.getItem(key) ?? ''
export const keepBrowserMark = (mark: string | undefined) => mark && localStorage.setItem(key, mark)
