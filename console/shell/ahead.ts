import { startSession } from '../session/session.ts'
import { token } from '../session/token.ts'
import { language } from '../words/words.ts'

let load: () => Promise<unknown> = async () => {}
/** Says how the console behind the sign-in is fetched. */
export const provideConsole = (loader: () => Promise<unknown>) => {
  load = loader
}

/** Fetches the console and the screen of an address beside what is being done. What fails is told when it is needed. */
export const fetchConsole = (target: string) => {
  import('../theme/antdRules.ts').catch(() => undefined)
  import('./antdWords.ts').then(({ readAntdWords }) => readAntdWords(language())).catch(() => undefined)
  load()
    .then(() => import('./screens.ts'))
    .then(({ fetchScreen }) => fetchScreen(target))
    .catch(() => undefined)
}

/** With somebody signed in, all that the first screen waits for begins at once: code, screen, and who it is. */
export const goAhead = (target: string) => {
  if (!token()) return
  fetchConsole(target)
  startSession().catch(() => undefined)
}
