import { MutationCache, QueryClient } from '@tanstack/react-query'
import { Fault } from '../session/request.ts'
import { words } from '../words/words.ts'

type Report = (message: string) => void
let listener: Report = () => undefined
/** Tells in a message what went wrong outside of the cache's own calls. */
export const report: Report = (message) => listener(message)
export const onFault = (tell: Report) => {
  listener = tell
}

/** What went wrong, and of what still uses a record its kinds and names: `Device: North, South; Alarm rule: Overflow`. */
const describe = (error: Error) => {
  const users = (error instanceof Fault && error.details.UsedBy) || []
  if (!users.length) return error.message
  const kinds = [...Map.groupBy(users, (u) => u.Resource)].map(([kind, of]) => `${words(kind)}: ${of.map((u) => u.Title).join(', ')}`)
  return `${error.message} (${kinds.join('; ')})`
}

/** Reads show their fault in place; a write that failed is told in a message unless its screen does it (`meta.quiet`). */
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
