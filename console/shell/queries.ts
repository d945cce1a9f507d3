import { MutationCache, QueryClient } from '@tanstack/react-query'
import { Fault } from '../session/request.ts'
import { token } from '../session/token.ts'
import { onLanguage, words } from '../words/words.ts'

type Report = (message: string) => void
let listener: Report = () => undefined
/** Shows an error that did not come from a query or mutation. */
export const report: Report = (message) => listener(message)
export const onFault = (show: Report) => {
  listener = show
}

/** The error text, with the records that still use this one: `Device: North, South; Alarm rule: Overflow`. */
const describe = (error: Error) => {
  const users = (error instanceof Fault && error.details.UsedBy) || []
  if (!users.length) return error.message
  const kinds = [...Map.groupBy(users, (u) => u.Resource)].map(([kind, of]) => `${words(kind)}: ${of.map((u) => u.Title).join(', ')}`)
  return `${error.message} (${kinds.join('; ')})`
}

/** The query cache. Queries show their errors in place. Mutations show a message, unless the screen does (`meta.quiet`). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && error instanceof Fault && (error.status === 0 || error.status === 503),
    },
  },
  mutationCache: new MutationCache({
    onError: (error, _values, _context, mutation) => {
      const ended = error instanceof Fault && (error.status === 401 || error.status === 205)
      const silent = error instanceof Fault && error.silent
      if (!mutation.meta?.quiet && !ended && !silent) report(describe(error))
    },
  }),
})

// The server translates names into the language of the request.
onLanguage(() => token() && void queryClient.invalidateQueries())
