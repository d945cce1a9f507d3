// The result of an attempt, as a code with words in the console.
import { Refused } from '../../../../server/channels/outbound.ts'
import { Fault } from '../../../../server/http/faults.ts'
import type { AccessFault } from '../contract.ts'

export type Sending = { fault: AccessFault | null; status: number | null }
export const delivered: Sending = { fault: null, status: null }
export const failed = (fault: AccessFault, status: number | null = null): Sending => ({ fault, status })

const codes: Record<string, AccessFault> = {
  ...{ ECONNREFUSED: 'unreachable', EHOSTUNREACH: 'unreachable', ENETUNREACH: 'unreachable', ECONNRESET: 'broken', EPIPE: 'broken' },
  ...{ ENOTFOUND: 'notFound', EAI_AGAIN: 'notFound', ETIMEDOUT: 'timeout', ABORT_ERR: 'timeout' },
}
/** Never includes the receiver's response text: it would expose services behind the address (SSRF). */
export const ofFailure = (error: unknown): Sending => {
  // Our own store is unavailable: nothing was sent.
  if (error instanceof Fault) throw error
  const { code = '', name = '' } = error as { code?: unknown; name?: string }
  if (error instanceof Refused) return failed(error.again ? 'notFound' : 'notAllowed')
  if (name === 'TimeoutError' || name === 'AbortError') return failed('timeout')
  // MQTT codes: bad user name or password, not authorised.
  if (code === 4 || code === 5 || code === 134 || code === 135) return failed('signIn')
  if (typeof code === 'string' && /^(ERR_TLS|CERT_|DEPTH_|SELF_|UNABLE_)/.test(code)) return failed('certificate')
  return failed(codes[String(code)] ?? 'broken')
}
