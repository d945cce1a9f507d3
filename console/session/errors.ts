import type { Wrapper } from '../../contract/call.ts'
import { words } from '../words/words.ts'

// The error catalogue of the specification (section 8): messages of failures and how long they are shown.

/** Timeout of a call, ms. */
export const timeoutMs = 55_000
/** Display time of errors and of other messages, seconds; and the delay before a refused token signs out, ms (ruling 18). */
export const errorSeconds = 4
export const messageSeconds = 3.5
export const refusedMs = 1000

/** A successful call has both, regardless of the rest of the answer (ruling 7). */
export const succeeded = (answer: Wrapper) => answer.Succeeded === true && answer.StatusCode === 200

/** The message of an unsuccessful answer. */
export const bodyText = ({ StatusCode, Errors }: Pick<Wrapper, 'StatusCode' | 'Errors'>): string => {
  if (typeof Errors === 'string' && Errors) return Errors
  return StatusCode === 403 || StatusCode === 400 ? words('error.forbidden') : words('error.failed', { code: StatusCode })
}

/** The message without an answer. */
export const transportText = (error: unknown, onLine: boolean): string => {
  if (error instanceof DOMException && error.name === 'TimeoutError') return words('error.timeout')
  return words(onLine ? 'error.remote' : 'error.network')
}

/** Calls whose screen handles the result itself: sent with `X-Silent: 1`, without a message (sections 5 of both documents). */
export const silentChecks: readonly string[] = [
  '/Project/Project/CheckProjectName',
  '/Project/DevPara/CheckDevPara',
  '/Energy/Info/CheckCode',
  '/Energy/Info/CheckFormula',
  '/Energy/InfoData/CheckData',
  '/Drug/InfoData/CheckData',
  '/Alarm/AlarmRule/ConditionValidation',
]
const silent = new Set(silentChecks.map((path) => path.toLowerCase()))
export const isSilent = (path: string) => silent.has(path.split('?')[0]!.toLowerCase())
