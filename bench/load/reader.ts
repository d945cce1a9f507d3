// A client in a process of its own: reads answers to their last byte and keeps nothing. In the process of a bench, whose heap is large,
// garbage collection would be part of the figure.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { createGunzip } from 'node:zlib'
import { timed } from '../figures.ts'
import { serveJobs } from './job.ts'

export type ReadJob = { urls: string[]; token: string }

const drain = async (url: string, token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip', 'x-time-zone': 'UTC' }
  const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`)
  const content = answer.headers['content-encoding'] === 'gzip' ? answer.pipe(createGunzip()) : answer
  content.resume()
  await once(content, 'end')
}

/** Milliseconds until the last byte of each answer, one after the other. */
serveJobs(async ({ urls, token }: ReadJob): Promise<number[]> => {
  const times: number[] = []
  for (const url of urls) times.push(await timed(() => drain(url, token)))
  return times
})
