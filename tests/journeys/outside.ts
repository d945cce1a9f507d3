import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** Somebody outside whom rules call, until the file of tests is over; `called` collects the calls. */
export const startOutside = async () => {
  const called: unknown[] = []
  const outside = createServer(async (request, response) => {
    called.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(outside, 'listening')
  afterAll(() => void outside.close())
  return { called, port: (outside.address() as AddressInfo).port }
}
