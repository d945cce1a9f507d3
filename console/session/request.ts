import type { Answer, Body, Call, Details, Query, Wrapper } from '../../contract/call.ts'
import type { Cell } from '../../contract/cell.ts'
import { csvLine, csvMark } from '../../contract/csv.ts'
import { browserZone } from '../words/formats.ts'
import { language, words } from '../words/words.ts'
import { bodyText, isSilent, succeeded, timeoutMs, transportText } from './errors.ts'
import { alone } from './presence.ts'
import { previewed } from './preview.ts'
import { token } from './token.ts'

/** A failed call; the message is in the caller's language. */
export class Fault extends Error {
  readonly status: number
  readonly details: Details
  /** The screen shows the result itself; no message appears. */
  readonly silent: boolean
  constructor(status: number, message: string, details: Details = {}, silent = false) {
    super(message)
    this.status = status
    this.details = details
    this.silent = silent
  }
}

/** Why the session ended: expired or signed out, displaced by another sign-in, or refused at the start (ruling 15). */
export type SessionEnd = { kind: 'over' | 'displaced' | 'refused'; message: string }
const listeners = new Set<(end: SessionEnd) => void>()
export const onSessionEnd = (listener: (end: SessionEnd) => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const sessionEnded = (end: SessionEnd) => {
  for (const listener of listeners) listener(end)
}

/** Query string without empty values (ruling 9). */
export const queryString = (query: object = {}): string => {
  const pairs = Object.entries(query).filter(([, v]) => v !== undefined && v !== null && v !== '')
  const text = new URLSearchParams(pairs.map(([k, v]) => [k, typeof v === 'object' ? JSON.stringify(v) : String(v)])).toString()
  return text && `?${text}`
}

const send = async (method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
  const headers: Record<string, string> = { 'Accept-Language': language(), 'X-Time-Zone': browserZone }
  const held = token()
  if (held) headers.Authorization = `Bearer ${held}`
  if (isSilent(path)) headers['X-Silent'] = '1'
  if (alone()) headers['X-Background'] = '1'
  const role = previewed()
  if (role && held) headers['X-As-Role'] = String(role.Id)
  const sheet = body instanceof FormData
  if (body !== undefined && !sheet) headers['Content-Type'] = 'application/json'
  try {
    return await fetch(`/api${path}`, {
      method,
      headers,
      body: body === undefined ? null : sheet ? body : JSON.stringify(body),
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      // Deletions during unload are still sent.
      keepalive: method === 'DELETE',
    })
  } catch (error) {
    throw new Fault(0, transportText(error, navigator.onLine), {}, isSilent(path))
  }
}

const wrapper = async (response: Response): Promise<Wrapper> => {
  try {
    return (await response.json()) as Wrapper
  } catch {
    throw new Fault(response.status, bodyText({ StatusCode: response.status, Errors: null }))
  }
}

const displaced = () => {
  const message = words('session.displaced')
  sessionEnded({ kind: 'displaced', message })
  return new Fault(205, message)
}

/** `held` is the token of the request. An outdated token does not end the session. */
const refused = (answer: Wrapper, status: number, path: string, held: string | null) => {
  const { StatusCode, Details } = answer
  const message = bodyText({ ...answer, StatusCode: StatusCode ?? status })
  const current = held !== null && held === token()
  if (current && status === 401) sessionEnded({ kind: 'refused', message })
  else if (current && StatusCode === 401) sessionEnded({ kind: 'over', message })
  return new Fault(StatusCode ?? status, message, Details, isSilent(path))
}

/** One request to `/api`: `Data` of the wrapper, and the total count if a list was truncated. Throws a Fault on failure (rulings 6-8, 15). */
export const requestCounted = async <T>(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<[T, number | null]> => {
  const held = token()
  const response = await send(method, path, body, signal)
  if (response.status === 205) throw displaced()
  const answer = await wrapper(response)
  if (!succeeded(answer)) throw refused(answer, response.status, path, held)
  const total = response.headers.get('x-total-count')
  return [answer.Data as T, total === null ? null : Number(total)]
}
export const request = <T>(...of: Parameters<typeof requestCounted>): Promise<T> => requestCounted<T>(...of).then(([data]) => data)

/** The bytes of a file from `/api`; by POST if there is a body. */
export const requestBytes = async (path: string, signal: AbortSignal, body?: object): Promise<ArrayBuffer> => {
  const held = token()
  const response = await send(body ? 'POST' : 'GET', path, body, signal)
  if (response.status === 205) throw displaced()
  if (!response.ok || response.headers.get('content-type')?.includes('application/json'))
    throw refused(await wrapper(response), response.status, path, held)
  return response.arrayBuffer()
}

/** Downloads a file from `/api` under the server's name, otherwise `name`; by POST if there is a body. */
export const download = async (path: string, name: string, body?: object) => {
  const held = token()
  const response = await send(body ? 'POST' : 'GET', path, body)
  if (response.status === 205) throw displaced()
  if (!response.ok || response.headers.get('content-type')?.includes('application/json'))
    throw refused(await wrapper(response), response.status, path, held)
  const given = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1]
  saveFile(await response.blob(), given ? decodeURIComponent(given) : name)
}

export const saveFile = (content: Blob, name: string) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Saves a CSV file generated by the console. All generated files use it: names are quoted and formulas disabled. */
export const saveCsv = (rows: readonly (readonly Cell[])[], name: string) =>
  saveFile(new Blob([csvMark, ...rows.map(csvLine)], { type: 'text/csv;charset=utf-8' }), name)

/** One call of the contract, with query and body. */
export const invoke = <C extends Call>(c: C, { query, body }: { query?: Query<C>; body?: Body<C> } = {}): Promise<Answer<C>> =>
  request(c.method, `${c.path}${queryString(query as object | undefined)}`, body)
