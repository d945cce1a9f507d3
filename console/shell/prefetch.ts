import { restoreSession } from '../offline/mark.ts'
import { startSession } from '../session/session.ts'
import { token } from '../session/token.ts'
import { language } from '../words/words.ts'

let load: () => Promise<unknown> = async () => {}
/** Registers the loader of the console behind the sign-in. */
export const provideConsole = (loader: () => Promise<unknown>) => {
  load = loader
}

/** Prefetches the console and the screen of an address. Errors are ignored here: the screen reports them when it shows. */
export const fetchConsole = (target: string) => {
  import('../theme/antdRules.ts').catch(() => undefined)
  import('./antdWords.ts').then(({ readAntdWords }) => readAntdWords(language())).catch(() => undefined)
  load()
    .then(() => import('./screens.ts'))
    .then(({ fetchScreen }) => fetchScreen(target))
    .catch(() => undefined)
}

/** With a session, starts everything that the first screen needs in parallel: code, screen and session data. */
export const prefetch = (target: string) => {
  if (!token()) return
  fetchConsole(target)
  // Without a connection, the phone's stored data loads before the console.
  startSession()
    .catch(restoreSession)
    .catch(() => undefined)
}
