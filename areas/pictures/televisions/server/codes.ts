// Codes that displays show for pairing. They expire after ten minutes, work once, and do not survive a restart.
import { randomBytes, randomInt } from 'node:crypto'
import { networkOf } from '../../../../server/http/addresses.ts'
import { Fault, notFound } from '../../../../server/http/faults.ts'
import { codeLetters } from '../contract.ts'

type Display = { Address: string; Browser: string }
type Open = Display & { network: string; secret: string; until: number; token?: string }

const lifeMs = 10 * 60_000
const mostOfNetwork = 20
const most = 5000

export const openCodes = (steady: () => number) => {
  const open = new Map<string, Open>()
  const sweep = () => {
    for (const [code, { until }] of open) if (until <= steady()) open.delete(code)
  }
  /** @throws Fault `notFound` if the code does not exist or has expired */
  const find = (code: string): Open => {
    const found = open.get(code)
    if (!found || found.until <= steady()) throw notFound()
    return found
  }
  return {
    /** @throws Fault `tooMany` for an address with too many open codes */
    begin({ Address, Browser }: Display) {
      sweep()
      const network = networkOf(Address)
      const own = open.values().reduce((n, one) => n + Number(one.network === network), 0)
      if (own >= mostOfNetwork || open.size >= most) throw new Fault('tooMany')
      const Code = Array.from({ length: 8 }, () => codeLetters[randomInt(codeLetters.length)]).join('')
      const Secret = randomBytes(24).toString('base64url')
      open.set(Code, { Address, Browser: Browser.slice(0, 200), network, secret: Secret, until: steady() + lifeMs })
      return { Code, Secret, Seconds: lifeMs / 1000 }
    },
    /** The token of the display after pairing. It is returned once. */
    claim(code: string, secret: string): string | null {
      const found = find(code)
      if (found.secret !== secret) throw notFound()
      if (!found.token) return null
      open.delete(code)
      return found.token
    },
    /** The display whose code has not been entered yet. */
    look(code: string): Display {
      const { Address, Browser, token } = find(code)
      if (token) throw notFound()
      return { Address, Browser }
    },
    give(code: string, token: string) {
      find(code).token = token
    },
  }
}
