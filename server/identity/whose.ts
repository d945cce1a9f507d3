import type { Actor } from './actor.ts'

/** Whose rights, zone or language changed; `narrowed`: only people whom a data permission narrows. Also sent to API processes. */
export type Whose = 'all' | { users: readonly number[] } | { EnterpriseId: number; narrowed?: boolean }

/** Whether a change concerns somebody. */
export const concerns =
  (whose: Whose) =>
  (who: Actor): boolean => {
    if (whose === 'all') return true
    if ('users' in whose) return whose.users.includes(who.UserId)
    return who.EnterpriseId === whose.EnterpriseId && (!whose.narrowed || who.dataScope !== undefined)
  }
