import { type Rate, rate } from '../jobs/throttle.ts'
import { networkOf } from './addresses.ts'
import { Fault } from './faults.ts'

/** Throttles invalid tokens by address: a burst of thirty, then one in ten seconds. Valid tokens are not counted. */
export const openGuesses = (steady: () => number) => {
  const rates = new Map<string, Rate>()
  return async <T>(ip: string, find: () => Promise<T>): Promise<T> => {
    const network = networkOf(ip)
    const own = rates.get(network) ?? rate(0.1, 30, steady)
    if (rates.size >= 10_000) rates.clear()
    rates.set(network, own)
    if (own.left() < 1) throw new Fault('tooMany')
    own.take()
    const found = await find()
    own.take(-1)
    return found
  }
}
