import type { Reply } from './outbound.ts'
import { Refused } from './outbound.ts'

/**
 * What became of one attempt. `retry`: not sent, another try may do. `failed`: no try will. `unknown`: it may have arrived; whether
 * it is tried again depends on the channel knowing its own messages again.
 */
export type Outcome = { is: 'sent' } | { is: 'retry' | 'failed' | 'unknown'; error: string }

export const sent: Outcome = { is: 'sent' }
export const failed = (error: string): Outcome => ({ is: 'failed', error: error.slice(0, 300) })
export const retry = (error: string): Outcome => ({ is: 'retry', error: error.slice(0, 300) })

/** Before anything left the machine: the name is unknown, the port is shut, the host has no route. */
const before = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])
/** nodemailer's: the connection, its encryption or the sign-in failed; no message was handed over. */
const beforeMail = new Set(['ECONNECTION', 'ETLS', 'EDNS'])

export const ofError = (error: unknown): Outcome => {
  const { code = '', message = 'error', name = '' } = error as { code?: string; message?: string; name?: string }
  if (error instanceof Refused) return error.again ? retry(message) : failed(message)
  if (before.has(code) || beforeMail.has(code)) return retry(`${code || name}: ${message}`)
  return { is: 'unknown', error: `${code || name}: ${message}`.slice(0, 300) }
}

/** Failures of the provider are retried. Other errors mean that the message is wrong. */
export const ofStatus = ({ status, text }: Reply): Outcome | undefined => {
  if (status === 429 || status >= 500) return retry(`HTTP ${status}`)
  if (status < 200 || status >= 300) return failed(`HTTP ${status} ${text.slice(0, 200)}`)
}

export const answerOf = <T>({ text }: Reply): Partial<T> => {
  try {
    return JSON.parse(text) as T
  } catch {
    return {}
  }
}
