// Idempotency keys: a request that a client sends twice under the same key is applied once.
import { createHash } from 'node:crypto'

/** A client's key with a hash of the request, stored to recognise repeats. */
export type SentKey = { ClientKey: string; Hash: string }
type Keyed = { ClientKey?: string | undefined }

/** Hash of a request's content without its key; empty fields do not count. */
export const contentHash = (action: string, { ClientKey: _, ...given }: Keyed): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        action,
        Object.entries(given)
          .filter(([, v]) => v != null && v !== '')
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ]),
    )
    .digest('hex')

/** The key of a request; undefined if it has none. */
export const sentKey = (action: string, given: Keyed): SentKey | undefined =>
  given.ClientKey ? { ClientKey: given.ClientKey, Hash: contentHash(action, given) } : undefined
