// Mark of a known browser, which has its own counter of failed sign-ins (docs/security.md). It outlives the session and grants no access.
const key = 'penstock.browser'

/** Empty asks the server for one. */
export const browserMark = () => localStorage.getItem(key) ?? ''
export const keepBrowserMark = (mark: string | undefined) => mark && localStorage.setItem(key, mark)
