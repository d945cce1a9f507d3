import { networkOf } from '../../../../server/http/addresses.ts'
import { openLoginThrottle, type Verdict } from '../../../../server/mqtt/loginThrottle.ts'
import type { Doors } from './doors.ts'

/** Slows down guessing: counts wrong tokens per address, like the broker. */
export const openTokenThrottle = (doors: Pick<Doors, 'find'>) => {
  const logins = openLoginThrottle(async (_sn, token) => (await doors.find(token.toString())) !== undefined)
  return (token: string, address: string): Promise<Verdict> => logins.check('', Buffer.from(token), networkOf(address))
}
export type LoginThrottle = ReturnType<typeof openTokenThrottle>
